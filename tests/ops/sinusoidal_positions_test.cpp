#include <doctest/doctest.h>

#include <cmath>

#include "tests/ops/op_harness.h"

using namespace glassformer;
using namespace glassformer::testing;

TEST_CASE("sinusoidal_positions: forward and explanation agree") {
    for (const std::int64_t positions : {1, 2, 3, 17, 65})
        for (const std::int64_t width : {1, 2, 3, 17, 63, 64})
            CHECK(any_error({ops::sinusoidal_positions(positions, width), {}}) == "");
    CHECK(any_error({ops::sinusoidal_positions(5000, 6), {}}) == "");
}

TEST_CASE("sinusoidal_positions: sine and cosine alternate, and at width 4 the second pair is 100 times slower") {
    const Tensor y = forward({ops::sinusoidal_positions(3, 4), {}});
    CHECK(y.shape() == Shape{3, 4});
    const double expected[] = {0.0,
                               1.0,
                               0.0,
                               1.0,  //
                               std::sin(1.0),
                               std::cos(1.0),
                               std::sin(0.01),
                               std::cos(0.01),  //
                               std::sin(2.0),
                               std::cos(2.0),
                               std::sin(0.02),
                               std::cos(0.02)};
    for (int i = 0; i < 12; ++i) CHECK(static_cast<double>(y.data()[i]) == doctest::Approx(expected[i]).epsilon(1e-6));
}

TEST_CASE("sinusoidal_positions: the inner product of two positions depends only on their distance") {
    constexpr std::int64_t width = 32;
    const Tensor y = forward({ops::sinusoidal_positions(40, width), {}});
    const auto product = [&](std::int64_t p, std::int64_t q) {
        double sum = 0.0;
        for (std::int64_t j = 0; j < width; ++j)
            sum += static_cast<double>(y.data()[p * width + j]) * static_cast<double>(y.data()[q * width + j]);
        return sum;
    };
    for (const std::int64_t distance : {0, 1, 7})
        for (const std::int64_t p : {1, 13, 32})
            CHECK(product(p, p + distance) == doctest::Approx(product(0, distance)).epsilon(1e-5));
}

TEST_CASE("sinusoidal_positions: an input tensor is refused") {
    CHECK(refuses(ops::sinusoidal_positions(3, 4), {{3, 4}}));
}
