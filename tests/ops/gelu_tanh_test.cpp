#include <doctest/doctest.h>

#include <cmath>

#include "tests/ops/op_harness.h"

using namespace glassformer;
using namespace glassformer::testing;

namespace {

OpCase gelu_tanh(const Tensor& x) { return {ops::gelu_tanh(), {x}, 1e-2}; }

}  // namespace

TEST_CASE("gelu_tanh: forward, backward and explanation agree") {
    for (const std::int64_t width : {1, 2, 3, 5, 17, 33, 63, 65})
        CHECK(any_error(gelu_tanh(normal({3, width}, 1, 1.5))) == "");
}

TEST_CASE("gelu_tanh: the formula with tanh in double, from −12 to 12") {
    Tensor x(Shape{2401});
    for (std::int64_t i = 0; i < 2401; ++i) x.data()[i] = static_cast<float>(static_cast<double>(i) * 0.01 - 12.0);
    const Tensor y = forward(gelu_tanh(x));
    const std::vector<float> dx = backward(gelu_tanh(x), Tensor(x.shape(), std::vector<float>(2401, 1.0f)));
    const double root = std::sqrt(2.0 / std::acos(-1.0));
    double worst = 0.0, worst_slope = 0.0;
    for (std::size_t i = 0; i < 2401; ++i) {
        const double v = x.values()[i], t = std::tanh(root * (v + 0.044715 * v * v * v)),
                     slope = 0.5 * (1.0 + t) + 0.5 * v * (1.0 - t * t) * root * (1.0 + 3.0 * 0.044715 * v * v);
        worst = std::max(worst, std::abs(y.values()[i] - 0.5 * v * (1.0 + t)) / std::max(1.0, std::abs(v)));
        worst_slope = std::max(worst_slope, std::abs(dx[i] - slope));
    }
    CHECK(worst < 3e-7);
    CHECK(worst_slope < 2e-6);
    CHECK(explanation_error(gelu_tanh(x), 2401) == "");
}

TEST_CASE("gelu_tanh: far from zero it is x or 0") {
    const Tensor x(Shape{4}, {1000.0f, 30.0f, -30.0f, -1000.0f});
    const Tensor y = forward(gelu_tanh(x));
    CHECK(y.data()[0] == 1000.0f);
    CHECK(y.data()[1] == 30.0f);
    CHECK(std::abs(y.data()[2]) < 1e-30f);
    CHECK(std::abs(y.data()[3]) < 1e-30f);
    const std::vector<float> dx = backward(gelu_tanh(x), Tensor(x.shape(), {1, 1, 1, 1}));
    CHECK(dx[0] == 1.0f);
    CHECK(dx[1] == 1.0f);
    CHECK(std::abs(dx[2]) < 1e-30f);
    CHECK(std::abs(dx[3]) < 1e-30f);
}

TEST_CASE("gelu_tanh: large inputs give the same bytes on any number of threads") {
    CHECK(thread_error(gelu_tanh(normal({65, 1021}, 1))) == "");
}

TEST_CASE("gelu_tanh: two inputs are refused") { CHECK(refuses(ops::gelu_tanh(), {{2}, {2}})); }
