#include <doctest/doctest.h>

#include <cmath>

#include "tests/ops/op_harness.h"

using namespace glassformer;
using namespace glassformer::testing;

namespace {

OpCase silu(const Tensor& x) { return {ops::silu(), {x}, 1e-2}; }

}  // namespace

TEST_CASE("silu: forward, backward and explanation agree") {
    for (const std::int64_t width : {1, 2, 3, 5, 17, 33, 63, 65})
        CHECK(any_error(silu(normal({3, width}, 1, 1.5))) == "");
}

TEST_CASE("silu: x / (1 + e^−x) in double, from −100 to 100") {
    Tensor x(Shape{2001});
    for (std::int64_t i = 0; i < 2001; ++i) x.data()[i] = static_cast<float>(static_cast<double>(i) * 0.1 - 100.0);
    const Tensor y = forward(silu(x));
    const std::vector<float> dx = backward(silu(x), Tensor(x.shape(), std::vector<float>(2001, 1.0f)));
    double worst = 0.0, worst_slope = 0.0;
    for (std::size_t i = 0; i < 2001; ++i) {
        const double v = x.values()[i], s = 1.0 / (1.0 + std::exp(-v));
        worst = std::max(worst, std::abs(y.values()[i] - v * s) / std::max(1.0, std::abs(v)));
        worst_slope = std::max(worst_slope, std::abs(dx[i] - (s + v * s * (1.0 - s))));
    }
    CHECK(worst < 3e-7);
    CHECK(worst_slope < 1e-6);
    CHECK(explanation_error(silu(x), 2001) == "");
}

TEST_CASE("silu: large inputs give the same bytes on any number of threads") {
    CHECK(thread_error(silu(normal({65, 1021}, 1))) == "");
}

TEST_CASE("silu: two inputs are refused") { CHECK(refuses(ops::silu(), {{2}, {2}})); }
