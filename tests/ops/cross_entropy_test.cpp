#include <doctest/doctest.h>

#include <cmath>

#include "tests/ops/op_harness.h"

using namespace glassformer;
using namespace glassformer::testing;

namespace {

OpCase cross_entropy(const Tensor& logits, const Shape& rows, const Tensor& weights) {
    return {ops::cross_entropy(),
            {logits, whole(rows, 2, static_cast<std::uint64_t>(logits.shape().back())), weights},
            2e-2};
}

}  // namespace

TEST_CASE("cross_entropy: forward, backward and explanation agree") {
    for (const std::int64_t width : {1, 2, 3, 5, 17, 33, 65}) {
        CHECK(any_error(cross_entropy(normal({1, 1, width}, 1), {1, 1}, Tensor({1, 1}, {1}))) == "");
        CHECK(any_error(cross_entropy(normal({3, 5, width}, 1, 2.0), {3, 5}, keep_most({3, 5}, 3))) == "");
    }
    Tensor weights = normal({17}, 5);
    for (float& w : weights.values()) w = std::abs(w);
    CHECK(any_error(cross_entropy(normal({17, 23}, 1), {17}, weights)) == "");
}

TEST_CASE("cross_entropy: logits of ±80") {
    Tensor x = normal({7, 17}, 1);
    for (std::size_t i = 0; i < x.values().size(); i += 3) x.values()[i] = i % 2 ? 80.0f : -80.0f;
    CHECK(any_error(cross_entropy(x, {7}, Tensor({7}, {1, 1, 1, 1, 1, 1, 1}))) == "");
    const OpCase sure{ops::cross_entropy(), {Tensor({1, 2}, {80, -80}), Tensor({1}, {0}), Tensor({1}, {1})}};
    CHECK(forward(sure).data()[0] == 0.0f);
    const OpCase wrong{ops::cross_entropy(), {Tensor({1, 2}, {80, -80}), Tensor({1}, {1}), Tensor({1}, {1})}};
    CHECK(forward(wrong).data()[0] == 160.0f);
}

TEST_CASE("cross_entropy: if nothing has weight, loss and gradient are 0") {
    const OpCase c = cross_entropy(normal({5, 3}, 1), {5}, Tensor(Shape{5}));
    CHECK(explanation_error(c) == "");
    CHECK(forward(c).data()[0] == 0.0f);
    CHECK(backward(c, Tensor({}, {1})) == std::vector<float>(15, 0.0f));
}

TEST_CASE("cross_entropy: large inputs give the same bytes on any number of threads") {
    CHECK(any_error(cross_entropy(normal({900, 33}, 1), {900}, keep_most({900}, 3))) == "");
}

TEST_CASE("cross_entropy: wrong shapes are refused") {
    CHECK(refuses(ops::cross_entropy(), {{2, 3}, {2}}));
    CHECK(refuses(ops::cross_entropy(), {{2, 3}, {3}, {3}}));
    CHECK(refuses(ops::cross_entropy(), {{2, 3}, {2}, {1}}));
    CHECK(refuses(ops::cross_entropy(), {{}, {}, {}}));
}
