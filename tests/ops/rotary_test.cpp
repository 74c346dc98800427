#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "core/base/error.h"
#include "tests/ops/op_harness.h"

using namespace glassformer;
using namespace glassformer::testing;

namespace {

OpCase rotary(const Shape& x, float base = 10000.0f) { return {ops::rotary({.base = base}), {normal(x, 1)}}; }

}  // namespace

TEST_CASE("rotary: forward, backward and explanation agree") {
    CHECK(any_error(rotary({1, 1, 1, 2})) == "");
    for (const std::int64_t positions : {1, 2, 3, 17, 65})
        for (const std::int64_t width : {2, 6, 16}) CHECK(any_error(rotary({2, positions, 3, width})) == "");
    CHECK(any_error(rotary({3, 5, 1, 16}, 100.0f)) == "");
}

TEST_CASE("rotary: more pairs than are processed at once") {
    for (const std::int64_t width : {62, 64, 66, 126, 130}) CHECK(any_error(rotary({2, 5, 2, width})) == "");
}

TEST_CASE("rotary: the first pair turns by one radian per position, the next one more slowly") {
    const Tensor y = forward({ops::rotary({}), {Tensor({1, 3, 1, 4}, {1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0})}});
    for (int p = 0; p < 3; ++p)
        for (int pair = 0; pair < 2; ++pair) {
            const double angle = p * (pair == 0 ? 1.0 : 0.01);
            CHECK(static_cast<double>(y.data()[4 * p + 2 * pair]) == doctest::Approx(std::cos(angle)).epsilon(1e-6));
            CHECK(static_cast<double>(y.data()[4 * p + 2 * pair + 1]) ==
                  doctest::Approx(std::sin(angle)).epsilon(1e-6));
        }
}

TEST_CASE("rotary: the score of a query and a key depends only on their distance") {
    constexpr std::int64_t positions = 200, width = 16;
    Tensor q({1, positions, 1, width}), k(q.shape());
    const Tensor one_q = normal({width}, 1), one_k = normal({width}, 2);
    for (std::int64_t i = 0; i < positions * width; ++i) {
        q.data()[i] = one_q.data()[i % width];
        k.data()[i] = one_k.data()[i % width];
    }
    const Tensor turned_q = forward({ops::rotary({}), {q}}), turned_k = forward({ops::rotary({}), {k}});
    const auto score = [&](std::int64_t query, std::int64_t key) {
        double sum = 0.0;
        for (std::int64_t j = 0; j < width; ++j)
            sum += static_cast<double>(turned_q.data()[query * width + j]) *
                   static_cast<double>(turned_k.data()[key * width + j]);
        return sum;
    };
    for (const std::int64_t distance : {0, 1, 50})
        for (const std::int64_t key : {3, 77, 149})
            CHECK(std::abs(score(key + distance, key) - score(distance, 0)) < 1e-4);
    CHECK(std::abs(score(50, 0) - score(0, 0)) > 0.1);
}

TEST_CASE("rotary: large inputs give the same bytes on any number of threads") {
    CHECK(thread_error(rotary({8, 65, 4, 16})) == "");
    CHECK(thread_error(rotary({1, 1021, 2, 66})) == "");
}

TEST_CASE("rotary: wrong shapes and bases are refused") {
    CHECK(refuses(ops::rotary({}), {{2, 3, 4}}));
    CHECK(refuses(ops::rotary({}), {{2, 3, 4, 5}}));
    CHECK(refuses(ops::rotary({}), {{2, 3, 4, 6}, {2, 3, 4, 6}}));
    for (const float base : {0.0f, -1.0f, INFINITY, std::numeric_limits<float>::quiet_NaN()})
        CHECK_THROWS_AS(ops::rotary({.base = base}), Error);
}
