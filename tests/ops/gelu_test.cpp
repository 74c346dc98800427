#include <doctest/doctest.h>

#include <cmath>

#include "tests/ops/op_harness.h"

using namespace glassformer;
using namespace glassformer::testing;

namespace {

OpCase gelu(const Tensor& x) { return {ops::gelu(), {x}, 1e-2}; }

}  // namespace

TEST_CASE("gelu: forward, backward and explanation agree") {
    for (const std::int64_t width : {1, 2, 3, 5, 17, 33, 65}) CHECK(any_error(gelu(normal({3, width}, 1, 1.5))) == "");
}

TEST_CASE("gelu: x·Φ(x) with erf in double, from −12 to 12") {
    Tensor x(Shape{2401});
    for (std::int64_t i = 0; i < 2401; ++i) x.data()[i] = static_cast<float>(static_cast<double>(i) * 0.01 - 12.0);
    const Tensor y = forward(gelu(x));
    const std::vector<float> dx = backward(gelu(x), Tensor(x.shape(), std::vector<float>(2401, 1.0f)));
    double worst = 0.0, worst_slope = 0.0;
    for (std::size_t i = 0; i < 2401; ++i) {
        const double v = x.values()[i], cdf = 0.5 * (1.0 + std::erf(v / std::sqrt(2.0))),
                     density = std::exp(-0.5 * v * v) / std::sqrt(2.0 * std::acos(-1.0));
        worst = std::max(worst, std::abs(y.values()[i] - v * cdf) / std::max(1.0, std::abs(v)));
        worst_slope = std::max(worst_slope, std::abs(dx[i] - (cdf + v * density)));
    }
    CHECK(worst < 3e-7);
    CHECK(worst_slope < 1e-6);
    CHECK(explanation_error(gelu(x), 2401) == "");
}

TEST_CASE("gelu: large inputs give the same bytes on any number of threads") {
    CHECK(thread_error(gelu(normal({65, 1021}, 1))) == "");
}

TEST_CASE("gelu: two inputs are refused") { CHECK(refuses(ops::gelu(), {{2}, {2}})); }
