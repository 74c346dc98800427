#include <doctest/doctest.h>

#include "tests/ops/op_harness.h"

using namespace glassformer;
using namespace glassformer::testing;

#include <cmath>

namespace {

constexpr float hidden = -INFINITY;

OpCase softmax(const Tensor& x) { return {ops::softmax(), {x}, 1e-2}; }

}  // namespace

TEST_CASE("softmax: forward, backward and explanation agree") {
    for (const std::int64_t width : {1, 2, 3, 5, 17, 33, 65}) {
        CHECK(any_error(softmax(normal({1, width}, 1))) == "");
        CHECK(any_error(softmax(normal({3, 5, width}, 2, 3.0))) == "");
    }
    CHECK(any_error(softmax(normal({5}, 1))) == "");
}

TEST_CASE("softmax: scores of ±80") {
    Tensor x = normal({7, 17}, 1, 3.0);
    for (std::size_t i = 0; i < x.values().size(); i += 3) x.values()[i] = i % 2 ? 80.0f : -80.0f;
    CHECK(any_error(softmax(x)) == "");
    const Tensor y = forward(softmax(Tensor({2, 2}, {80, -80, 80, 80})));
    CHECK(y.data()[0] == 1.0f);
    CHECK(y.data()[1] == doctest::Approx(0.0));
    CHECK(y.data()[2] == 0.5f);
}

TEST_CASE("softmax: a masked word gets exactly 0, and no gradient") {
    for (const std::int64_t width : {2, 3, 9, 17, 33}) {
        Tensor x = normal({5, width}, 1);
        for (std::int64_t row = 0; row < 5; ++row) x.data()[row * width + row % width] = hidden;
        CHECK(explanation_error(softmax(x)) == "");
        const Tensor y = forward(softmax(x));
        const std::vector<float> dx = backward(softmax(x), normal(x.shape(), 2));
        for (std::int64_t row = 0; row < 5; ++row) {
            double sum = 0.0;
            for (std::int64_t i = 0; i < width; ++i) sum += y.data()[row * width + i];
            CHECK(sum == doctest::Approx(1.0));
            CHECK(y.data()[row * width + row % width] == 0.0f);
            CHECK(dx[row * width + row % width] == 0.0f);
        }
    }
}

TEST_CASE("softmax: a fully masked row gives zeros, and no gradient") {
    for (const std::int64_t width : {1, 2, 3, 9, 17, 33}) {
        Tensor x = normal({3, width}, 1);
        for (std::int64_t i = 0; i < width; ++i) x.data()[width + i] = hidden;
        CHECK(explanation_error(softmax(x)) == "");
        const Tensor y = forward(softmax(x));
        const std::vector<float> dx = backward(softmax(x), normal(x.shape(), 2));
        for (std::int64_t i = width; i < 2 * width; ++i) {
            CHECK(y.data()[i] == 0.0f);
            CHECK(dx[i] == 0.0f);
        }
    }
}

TEST_CASE("softmax: large inputs give the same bytes on any number of threads") {
    CHECK(thread_error(softmax(normal({900, 33}, 1))) == "");
    CHECK(thread_error(softmax(normal({65, 1021}, 1))) == "");
}

TEST_CASE("softmax: wrong shapes are refused") {
    CHECK(refuses(ops::softmax(), {{}}));
    CHECK(refuses(ops::softmax(), {{3, 0}}));
    CHECK(refuses(ops::softmax(), {{3}, {3}}));
}

TEST_CASE("softmax: the explanation subtracts the largest score, as the kernel does, so that no number overflows") {
    const Tensor scores({1, 2}, {3470.0f, 3469.0f});
    const ConstView in{scores.data(), scores.shape()};
    const OpExplanation e = ops::softmax()->explain({{&in, 1}, scores.shape(), 1});
    CHECK(e.numbers == "e^(3469.00 − 3470.00) / Σ e^(s − 3470.00) = 0.37 / 1.37");
    CHECK(e.terms[0].contribution == 1.0);
    CHECK(e.terms[1].contribution == doctest::Approx(std::exp(-1.0)));
}
