#include <doctest/doctest.h>

#include <cmath>

#include "tests/ops/composed_op.h"

using namespace glassformer;
using namespace glassformer::testing;

namespace {

constexpr float epsilon = 1e-5f;

Tensor state(bool training) { return Tensor({3}, {training ? 1.0f : 0.0f, 7.0f, 3.0f}); }

/// A mask with at least two words.
Tensor mask_of(const Shape& x) {
    Tensor keep = keep_most({x[0], x[1]}, 5);
    keep.values().front() = keep.values().back() = 1.0f;
    return keep;
}

Tensor mean_of(const Tensor& x, const Tensor& keep) { return forward({ops::batch_norm_mean(), {x, keep}}); }
Tensor variance_of(const Tensor& x, const Tensor& keep) {
    return forward({ops::batch_norm_variance(), {x, keep, mean_of(x, keep)}});
}

/// Returns the last stage, with the batch's statistics.
OpCase normalize(const Tensor& x, const Tensor& keep, bool training) {
    return {
        ops::batch_norm_normalize(epsilon), {x, keep, mean_of(x, keep), variance_of(x, keep), state(training)}, 1e-2};
}

/// Returns all stages of training as one op of x.
OpCase whole(const Tensor& x) {
    const Tensor keep = mask_of(x.shape());
    return {std::make_shared<ComposedOp>(
                [keep](const Tensor& v) { return forward(normalize(v, keep, true)); },
                [keep](const Tensor& v, const Tensor& dy) { return backward(normalize(v, keep, true), dy); }),
            {x},
            1e-2};
}

/// One feature by the paper's formulas, in double: x̂, and the derivative through the deviations, the variance and the
/// mean in turn.
struct Reference {
    double mean = 0.0, variance = 0.0;
    std::vector<double> y, dx;
    Reference(const Tensor& x, const Tensor& keep, const Tensor& dy, std::int64_t feature) {
        const std::int64_t width = x.shape()[2], rows = keep.shape().elements();
        const auto at = [&](const Tensor& t, std::int64_t r) {
            return static_cast<double>(t.data()[r * width + feature]);
        };
        const auto word = [&](std::int64_t r) { return static_cast<double>(keep.data()[r]); };
        double words = 0.0;
        for (std::int64_t r = 0; r < rows; ++r) words += word(r);
        for (std::int64_t r = 0; r < rows; ++r) mean += word(r) * at(x, r) / words;
        for (std::int64_t r = 0; r < rows; ++r) variance += word(r) * std::pow(at(x, r) - mean, 2) / words;
        const double s = std::sqrt(variance + static_cast<double>(epsilon));
        double d_variance = 0.0, d_mean = 0.0;
        for (std::int64_t r = 0; r < rows; ++r) {
            y.push_back((at(x, r) - mean) / s);
            d_variance -= at(dy, r) * (at(x, r) - mean) / (2 * s * s * s);
            d_mean -= at(dy, r) / s;
        }
        for (std::int64_t r = 0; r < rows; ++r) d_mean -= d_variance * 2 * word(r) * (at(x, r) - mean) / words;
        for (std::int64_t r = 0; r < rows; ++r)
            dx.push_back(at(dy, r) / s + word(r) * (d_variance * 2 * (at(x, r) - mean) + d_mean) / words);
    }
};

const std::vector<Shape> shapes{{1, 2, 1}, {2, 1, 2}, {3, 3, 3}, {2, 5, 17}, {5, 7, 63}, {4, 9, 65}};

}  // namespace

TEST_CASE("batch_norm: statistics, values and gradient in double") {
    for (const Shape& shape : shapes) {
        const Tensor x = normal(shape, 1, 2.0, 3.0), keep = mask_of(shape), dy = normal(shape, 2),
                     mean = mean_of(x, keep), variance = variance_of(x, keep), y = forward(normalize(x, keep, true));
        const std::vector<float> dx = backward(normalize(x, keep, true), dy);
        for (std::int64_t feature = 0; feature < shape[2]; ++feature) {
            const Reference reference(x, keep, dy, feature);
            CHECK(mean.data()[feature] == doctest::Approx(reference.mean).epsilon(1e-6));
            CHECK(variance.data()[feature] == doctest::Approx(reference.variance).epsilon(1e-5));
            double worst = 0.0, worst_slope = 0.0;
            for (std::size_t r = 0; r < reference.y.size(); ++r) {
                const std::size_t cell = r * static_cast<std::size_t>(shape[2]) + static_cast<std::size_t>(feature);
                worst = std::max(worst, std::abs(y.values()[cell] - reference.y[r]));
                worst_slope = std::max(worst_slope, std::abs(dx[cell] - reference.dx[r]));
            }
            const double s = std::sqrt(reference.variance);
            CHECK(worst < 1e-5 * (1.0 + 1.0 / s));
            CHECK(worst_slope < 1e-5 * (1.0 + 1.0 / s));
        }
    }
}

TEST_CASE("batch_norm: the gradient of all stages agrees with finite differences") {
    for (const Shape& shape : shapes) {
        if (mask_of(shape).shape().elements() == 2) continue;  // two words become ±1 whatever they are
        CHECK(gradient_error(whole(normal(shape, 1))) == "");
        CHECK(gradient_error(whole(normal(shape, 1, 2.0, 5.0))) == "");
    }
}

TEST_CASE("batch_norm: outside training the statistics are given, and the gradient is dy / √(σ² + ε)") {
    for (const Shape& shape : shapes) {
        const Shape width{shape[2]};
        Tensor variance = normal(width, 4);
        for (float& v : variance.values()) v = 0.1f + std::abs(v);
        const OpCase c{ops::batch_norm_normalize(epsilon),
                       {normal(shape, 1, 2.0, 3.0), mask_of(shape), normal(width, 3), variance, state(false)}};
        CHECK(any_error(c) == "");
        const Tensor dy = normal(shape, 6);
        const std::vector<float> dx = backward(c, dy);
        REQUIRE(dx.size() == dy.values().size());  // mean, variance, mask and state have no gradient
        double worst = 0.0;
        for (std::size_t i = 0; i < dx.size(); ++i) {
            const double v = variance.values()[i % static_cast<std::size_t>(shape[2])];
            const double expected = dy.values()[i] / std::sqrt(v + static_cast<double>(epsilon));
            worst = std::max(worst, std::abs(dx[i] - expected) / (std::abs(expected) + 1e-3));
        }
        CHECK(worst < 1e-6);
    }
}

TEST_CASE("batch_norm: padding does not affect the statistics") {
    const Shape shape{2, 3, 17};
    Tensor x = normal(shape, 1);
    const Tensor keep({2, 3}, {1, 1, 0, 1, 0, 0});
    const Tensor mean = mean_of(x, keep), variance = variance_of(x, keep);
    for (const std::int64_t row : {2, 4, 5})
        for (std::int64_t i = 0; i < 17; ++i) x.data()[row * 17 + i] = i % 2 ? NAN : INFINITY;
    const Tensor same_mean = mean_of(x, keep), same_variance = variance_of(x, keep);
    for (std::size_t i = 0; i < 17; ++i) {
        CHECK(same_mean.values()[i] == mean.values()[i]);
        CHECK(same_variance.values()[i] == variance.values()[i]);
    }
}

TEST_CASE("batch_norm: a batch without words has mean and variance 0, and a finite gradient") {
    const Tensor x = normal({2, 3, 5}, 1), none(Shape{2, 3});
    CHECK(any_error({ops::batch_norm_mean(), {x, none}}) == "");
    CHECK(any_error({ops::batch_norm_variance(), {x, none, Tensor(Shape{5})}}) == "");
    const Tensor mean = mean_of(x, none), variance = variance_of(x, none);
    for (const float v : mean.values()) CHECK(v == 0.0f);
    for (const float v : variance.values()) CHECK(v == 0.0f);
    const std::vector<float> dx = backward(normalize(x, none, true), normal(x.shape(), 2));
    for (const float v : dx) CHECK(std::isfinite(v));
}

TEST_CASE("batch_norm_mean: explanation and threads") {
    for (const Shape& shape : shapes)
        CHECK(any_error({ops::batch_norm_mean(), {normal(shape, 1, 2.0, 3.0), mask_of(shape)}}) == "");
    CHECK(thread_error({ops::batch_norm_mean(), {normal({65, 13, 129}, 1), keep_most({65, 13}, 2)}}) == "");
}

TEST_CASE("batch_norm_variance: explanation and threads") {
    for (const Shape& shape : shapes) {
        const Tensor x = normal(shape, 1, 2.0, 3.0), keep = mask_of(shape);
        CHECK(any_error({ops::batch_norm_variance(), {x, keep, mean_of(x, keep)}}) == "");
    }
    const Tensor x = normal({65, 13, 129}, 1), keep = keep_most({65, 13}, 2);
    CHECK(thread_error({ops::batch_norm_variance(), {x, keep, mean_of(x, keep)}}) == "");
}

TEST_CASE("batch_norm_choose: the batch's statistics in training, otherwise the running ones") {
    for (const std::int64_t width : {1, 2, 3, 17, 63, 65})
        for (const bool training : {false, true}) {
            const OpCase c{ops::batch_norm_choose(), {normal({width}, 1), normal({width}, 2), state(training)}};
            CHECK(any_error(c) == "");
            const Tensor y = forward(c);
            for (std::int64_t i = 0; i < width; ++i) CHECK(y.data()[i] == c.tensors[training ? 0 : 1].data()[i]);
            CHECK(backward(c, normal({width}, 3)).empty());
        }
}

TEST_CASE("batch_norm_normalize: explanation, accumulation and threads") {
    for (const Shape& shape : shapes) {
        const OpCase c = normalize(normal(shape, 1, 2.0, 3.0), mask_of(shape), true);
        CHECK(explanation_error(c) == "");
        CHECK(accumulation_error(c) == "");
        CHECK(thread_error(c) == "");
    }
    CHECK(thread_error(normalize(normal({65, 13, 129}, 1), keep_most({65, 13}, 2), true)) == "");
}

TEST_CASE("batch_norm: wrong shapes are refused") {
    CHECK(refuses(ops::batch_norm_mean(), {{2, 3, 4}}));
    CHECK(refuses(ops::batch_norm_mean(), {{2, 3, 4}, {3, 2}}));
    CHECK(refuses(ops::batch_norm_mean(), {{3, 4}, {3}}));
    CHECK(refuses(ops::batch_norm_variance(), {{2, 3, 4}, {2, 3}}));
    CHECK(refuses(ops::batch_norm_variance(), {{2, 3, 4}, {2, 3}, {3}}));
    CHECK(refuses(ops::batch_norm_choose(), {{4}, {4}}));
    CHECK(refuses(ops::batch_norm_choose(), {{4}, {3}, {3}}));
    CHECK(refuses(ops::batch_norm_choose(), {{4}, {4}, {1}}));
    CHECK(refuses(ops::batch_norm_normalize(epsilon), {{2, 3, 4}, {2, 3}, {4}, {4}}));
    CHECK(refuses(ops::batch_norm_normalize(epsilon), {{2, 3, 4}, {2, 3}, {4}, {3}, {3}}));
    CHECK(refuses(ops::batch_norm_normalize(epsilon), {{2, 3, 4}, {2, 3}, {4}, {4}, {4}}));
}
