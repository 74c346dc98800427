#include <doctest/doctest.h>

#include <cmath>

#include "tests/ops/composed_op.h"

using namespace glassformer;
using namespace glassformer::testing;

namespace {

constexpr float epsilon = 1e-5f;

Tensor scale_of(const Tensor& x) { return forward({ops::rms_norm_scale(epsilon), {x}}); }
OpCase normalize(const Tensor& x) { return {ops::rms_norm_normalize(), {x, scale_of(x)}, 1e-2}; }

/// Both stages as one op of x.
OpCase whole(const Tensor& x) {
    return {std::make_shared<ComposedOp>([](const Tensor& v) { return forward(normalize(v)); },
                                         [](const Tensor& v, const Tensor& dy) { return backward(normalize(v), dy); }),
            {x},
            1e-2};
}

const std::vector<Shape> shapes{{1, 2}, {3, 1}, {3, 3}, {2, 3, 5}, {17}, {5, 17}, {4, 63}, {2, 5, 65}};

}  // namespace

TEST_CASE("rms_norm: [1, 7, 1, 7] has the root mean square 5") {
    const Tensor x({4}, {1, 7, 1, 7});
    CHECK(scale_of(x).data()[0] == doctest::Approx(5.0));
    const Tensor y = forward(normalize(x));
    for (std::size_t i = 0; i < 4; ++i) CHECK(y.values()[i] == doctest::Approx(i % 2 ? 1.4 : 0.2));
}

TEST_CASE("rms_norm: x / √(mean of x² + ε) and its derivative in double") {
    for (const std::int64_t width : {1, 2, 3, 17, 63, 65}) {
        const Tensor x = normal({5, width}, 1, 2.0, 0.5), dy = normal({5, width}, 2), y = forward(normalize(x));
        const std::vector<float> dx = backward(normalize(x), dy);
        double worst = 0.0, worst_slope = 0.0;
        for (std::int64_t row = 0; row < 5; ++row) {
            const float *v = x.data() + row * width, *g = dy.data() + row * width;
            double square = 0.0, product = 0.0;
            for (std::int64_t i = 0; i < width; ++i) {
                square += static_cast<double>(v[i]) * static_cast<double>(v[i]);
                product += static_cast<double>(v[i]) * static_cast<double>(g[i]);
            }
            const double n = static_cast<double>(width), s = std::sqrt(square / n + static_cast<double>(epsilon));
            for (std::int64_t i = 0; i < width; ++i) {
                // d(x_i / s) / dx_j = [i = j] / s − x_i·x_j / (n·s³)
                const double slope = g[i] / s - v[i] * product / (n * s * s * s);
                worst = std::max(worst, std::abs(y.data()[row * width + i] - v[i] / s));
                worst_slope = std::max(worst_slope, std::abs(dx[row * width + i] - slope));
            }
        }
        CHECK(worst < 2e-6);
        CHECK(worst_slope < 2e-5);
    }
}

TEST_CASE("rms_norm: the gradient of both stages") {
    for (const Shape& shape : shapes) {
        if (shape.back() == 1) continue;  // one feature becomes ±1 whatever it is: only rounding is left
        CHECK(gradient_error(whole(normal(shape, 1))) == "");
        CHECK(gradient_error(whole(normal(shape, 1, 2.0, 5.0))) == "");
    }
}

TEST_CASE("rms_norm: a row of zeros stays zero, with a finite gradient") {
    const Tensor x(Shape{2, 3});
    const Tensor y = forward(normalize(x));
    for (const float v : y.values()) CHECK(v == 0.0f);
    for (const float v : backward(normalize(x), normal({2, 3}, 1))) CHECK(std::isfinite(v));
}

TEST_CASE("rms_norm_scale: explanation and threads") {
    for (const Shape& shape : shapes) CHECK(any_error({ops::rms_norm_scale(epsilon), {normal(shape, 1, 2.0)}}) == "");
    CHECK(thread_error({ops::rms_norm_scale(epsilon), {normal({1000, 65}, 1)}}) == "");
}

TEST_CASE("rms_norm_normalize: explanation, accumulation and threads") {
    for (const Shape& shape : shapes) {
        const OpCase c = normalize(normal(shape, 1, 2.0, 3.0));
        CHECK(explanation_error(c) == "");
        CHECK(accumulation_error(c) == "");
    }
    CHECK(thread_error(normalize(normal({1000, 65}, 1))) == "");
}

TEST_CASE("rms_norm: wrong shapes are refused") {
    CHECK(refuses(ops::rms_norm_scale(epsilon), {{}}));
    CHECK(refuses(ops::rms_norm_scale(epsilon), {{3, 0}}));
    CHECK(refuses(ops::rms_norm_scale(epsilon), {{3}, {3}}));
    CHECK(refuses(ops::rms_norm_normalize(), {{2, 3}}));
    CHECK(refuses(ops::rms_norm_normalize(), {{2, 3}, {3}}));
}
