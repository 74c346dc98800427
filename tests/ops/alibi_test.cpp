#include <doctest/doctest.h>

#include <cmath>

#include "tests/ops/op_harness.h"

using namespace glassformer;
using namespace glassformer::testing;

namespace {

OpCase alibi(const Shape& scores) { return {ops::alibi(), {normal(scores, 1)}}; }

}  // namespace

TEST_CASE("alibi: forward, backward and explanation agree") {
    for (const std::int64_t queries : {1, 2, 3, 17, 63})
        for (const std::int64_t keys : {1, 2, 17, 65}) CHECK(any_error(alibi({2, 3, queries, keys})) == "");
}

TEST_CASE("alibi: the penalty grows with the distance, and halves from each of eight heads to the next") {
    const Tensor y = forward({ops::alibi(), {Tensor(Shape{1, 8, 3, 3})}});
    for (int h = 0; h < 8; ++h)
        for (int q = 0; q < 3; ++q)
            for (int k = 0; k < 3; ++k)
                CHECK(y.data()[(h * 3 + q) * 3 + k] == -std::ldexp(static_cast<float>(std::abs(k - q)), -(h + 1)));
}

TEST_CASE("alibi: with more keys than queries, the last key belongs to the last query") {
    const Tensor y = forward({ops::alibi(), {Tensor(Shape{1, 1, 2, 3})}});
    const float slope = 1.0f / 256.0f;
    CHECK(std::vector<float>(y.values().begin(), y.values().end()) ==
          std::vector<float>{-slope, 0, -slope, -2 * slope, -slope, 0});
}

TEST_CASE("alibi: a masked score stays masked") {
    const OpCase c{ops::alibi(), {Tensor({1, 1, 1, 2}, {-INFINITY, 1})}};
    CHECK(forward(c).data()[0] == -INFINITY);
    CHECK(explanation_error(c) == "");
}

TEST_CASE("alibi: large inputs give the same bytes on any number of threads") {
    CHECK(thread_error(alibi({8, 4, 65, 65})) == "");
}

TEST_CASE("alibi: wrong shapes are refused") {
    CHECK(refuses(ops::alibi(), {{3, 3}}));
    CHECK(refuses(ops::alibi(), {{1, 1, 3, 3}, {1, 3}}));
}
