#include <doctest/doctest.h>

#include <algorithm>

#include "tests/ops/op_harness.h"

using namespace glassformer;
using namespace glassformer::testing;

namespace {

OpCase linear(const Shape& x, std::int64_t d_out) {
    return {ops::linear(), {normal(x, 1), normal({x.back(), d_out}, 2), normal({d_out}, 3)}};
}

OpCase without_bias(const Shape& x, std::int64_t d_out) {
    return {ops::linear(), {normal(x, 1), normal({x.back(), d_out}, 2)}};
}

}  // namespace

TEST_CASE("linear: forward, backward and explanation agree") {
    for (const std::int64_t rows : {1, 2, 17, 65})
        for (const std::int64_t d_in : {1, 3, 33})
            for (const std::int64_t d_out : {1, 5, 65}) CHECK(any_error(linear({rows, d_in}, d_out)) == "");
    CHECK(any_error(linear({3, 5, 2}, 3)) == "");
    CHECK(any_error(linear({5}, 3)) == "");
}

TEST_CASE("linear: without a bias") {
    for (const std::int64_t rows : {1, 2, 17, 65})
        for (const std::int64_t d_in : {1, 3, 63})
            for (const std::int64_t d_out : {1, 5, 65}) CHECK(any_error(without_bias({rows, d_in}, d_out)) == "");
    CHECK(any_error(without_bias({3, 5, 2}, 3)) == "");
    CHECK(any_error(without_bias({5}, 3)) == "");
    CHECK(any_error(without_bias({3, 97, 129}, 70)) == "");
    CHECK(thread_error(without_bias({1000, 64}, 256)) == "");
}

TEST_CASE("linear: no bias equals a bias of zero, and the explanation mentions none") {
    OpCase zero = linear({17, 33}, 65), none = without_bias({17, 33}, 65);
    for (float& b : zero.tensors[2].values()) b = 0.0f;
    const Tensor y = forward(none), same = forward(zero);
    CHECK(std::equal(y.values().begin(), y.values().end(), same.values().begin()));
    const ConstView inputs[] = {{none.tensors[0].data(), {17, 33}}, {none.tensors[1].data(), {33, 65}}};
    const OpExplanation e = ops::linear()->explain({inputs, y.shape(), 70});
    CHECK(e.formula == "Σ x·W");
    CHECK(e.terms.size() == 33);
}

TEST_CASE("linear: large inputs give the same bytes on any number of threads") {
    CHECK(any_error(linear({3, 97, 129}, 70)) == "");
    CHECK(thread_error(linear({1000, 64}, 256)) == "");
}

TEST_CASE("linear: wrong shapes are refused") {
    CHECK(refuses(ops::linear(), {{2, 3}}));
    CHECK(refuses(ops::linear(), {{2, 3}, {4, 3}}));
    CHECK(refuses(ops::linear(), {{2, 3}, {3, 4}, {4}, {4}}));
    CHECK(refuses(ops::linear(), {{2, 3}, {4, 3}, {3}}));
    CHECK(refuses(ops::linear(), {{2, 3}, {3, 4}, {3}}));
    CHECK(refuses(ops::linear(), {{2, 3}, {3, 4}, {1, 4}}));
    CHECK(refuses(ops::linear(), {{}, {3, 4}, {4}}));
    CHECK(refuses(ops::linear(), {{2, 3}, {1, 3, 4}, {4}}));
}
