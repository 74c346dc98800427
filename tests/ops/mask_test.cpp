#include <doctest/doctest.h>

#include "tests/ops/op_harness.h"

using namespace glassformer;
using namespace glassformer::testing;

#include <cmath>

namespace {

OpCase mask(std::int64_t batch, std::int64_t heads, std::int64_t queries, std::int64_t keys) {
    return {ops::mask(), {normal({batch, heads, queries, keys}, 1), keep_most({batch, keys}, 2)}};
}

}  // namespace

TEST_CASE("mask: forward, backward and explanation agree") {
    CHECK(any_error(mask(1, 1, 1, 1)) == "");
    CHECK(any_error(mask(3, 2, 5, 17)) == "");
    CHECK(any_error(mask(2, 3, 17, 33)) == "");
    CHECK(any_error({ops::mask(), {normal({2, 2, 3, 5}, 1), Tensor(Shape{2, 5})}}) == "");
}

TEST_CASE("mask: a hidden key is −∞ and has gradient zero, for its own sentence only") {
    const OpCase c{ops::mask(), {Tensor({2, 1, 1, 2}, {1, 2, 3, 4}), Tensor({2, 2}, {1, 0, 1, 1})}};
    CHECK(forward(c).data()[0] == 1.0f);
    CHECK(forward(c).data()[1] == -INFINITY);
    CHECK(forward(c).data()[3] == 4.0f);
    CHECK(backward(c, Tensor({2, 1, 1, 2}, {5, 6, 7, 8})) == std::vector<float>{5, 0, 7, 8});
}

TEST_CASE("mask: large inputs give the same bytes on any number of threads") {
    CHECK(thread_error(mask(8, 4, 65, 65)) == "");
}

TEST_CASE("mask: wrong shapes are refused") {
    CHECK(refuses(ops::mask(), {{2, 1, 3, 5}}));
    CHECK(refuses(ops::mask(), {{2, 3, 5}, {2, 5}}));
    CHECK(refuses(ops::mask(), {{2, 1, 3, 5}, {1, 5}}));
    CHECK(refuses(ops::mask(), {{2, 1, 3, 5}, {2, 3}}));
}
