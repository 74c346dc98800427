#include <doctest/doctest.h>

#include <cmath>

#include "tests/ops/op_harness.h"

using namespace glassformer;
using namespace glassformer::testing;

namespace {

OpCase tanh_of(const Tensor& x) { return {ops::tanh(), {x}, 1e-2}; }

}  // namespace

TEST_CASE("tanh: forward, backward and explanation agree") {
    for (const std::int64_t width : {1, 2, 3, 5, 17, 33, 65})
        CHECK(any_error(tanh_of(normal({3, width}, 1, 1.5))) == "");
}

TEST_CASE("tanh: the library's tanh in double, from −12 to 12, and its slope") {
    Tensor x(Shape{2401});
    for (std::int64_t i = 0; i < 2401; ++i) x.data()[i] = static_cast<float>(static_cast<double>(i) * 0.01 - 12.0);
    const Tensor y = forward(tanh_of(x));
    const std::vector<float> dx = backward(tanh_of(x), Tensor(x.shape(), std::vector<float>(2401, 1.0f)));
    double worst = 0.0, worst_slope = 0.0;
    for (std::size_t i = 0; i < 2401; ++i) {
        const double t = std::tanh(static_cast<double>(x.values()[i]));
        worst = std::max(worst, std::abs(y.values()[i] - t));
        worst_slope = std::max(worst_slope, std::abs(dx[i] - (1.0 - t * t)));
    }
    CHECK(worst < 3e-7);
    CHECK(worst_slope < 1e-6);
    CHECK(explanation_error(tanh_of(x), 2401) == "");
}

TEST_CASE("tanh: large inputs give the same bytes on any number of threads") {
    CHECK(thread_error(tanh_of(normal({65, 1021}, 1))) == "");
}

TEST_CASE("tanh: two inputs are refused") { CHECK(refuses(ops::tanh(), {{2}, {2}})); }
