#include <doctest/doctest.h>

#include <cmath>

#include "tests/ops/op_harness.h"

using namespace glassformer;
using namespace glassformer::testing;

namespace {

OpCase recurrent(const Shape& shape, double spread = 1.0) {
    const std::int64_t width = shape.back();
    return {ops::recurrent_tanh(),
            {normal(shape, 1), normal({width, width}, 2, spread / std::sqrt(static_cast<double>(width))),
             normal({width}, 3, 0.3)},
            3e-3};
}

/// The states in double, one sum at a time, and backpropagation through time by the chain rule: the gradient of every
/// state is kept, and each step passes its share to the state before it.
struct Reference {
    std::vector<double> h, dx, dw, db;
    Reference(const OpCase& c, const Tensor& dy) {
        const Tensor &x = c.tensors[0], &w = c.tensors[1], &b = c.tensors[2];
        const std::int64_t batch = x.shape()[0], positions = x.shape()[1], width = x.shape()[2];
        h.resize(x.values().size());
        dx.resize(h.size());
        dw.resize(w.values().size());
        db.resize(b.values().size());
        std::vector<double> dh(dy.values().begin(), dy.values().end());
        const auto at = [&](std::int64_t s, std::int64_t p, std::int64_t d) {
            return static_cast<std::size_t>((s * positions + p) * width + d);
        };
        const auto weight = [&](std::int64_t i, std::int64_t d) { return static_cast<std::size_t>(i * width + d); };
        for (std::int64_t s = 0; s < batch; ++s) {
            for (std::int64_t p = 0; p < positions; ++p)
                for (std::int64_t d = 0; d < width; ++d) {
                    double sum = static_cast<double>(x.values()[at(s, p, d)]) + static_cast<double>(b.data()[d]);
                    for (std::int64_t i = 0; i < width && p > 0; ++i)
                        sum += h[at(s, p - 1, i)] * static_cast<double>(w.values()[weight(i, d)]);
                    h[at(s, p, d)] = std::tanh(sum);
                }
            for (std::int64_t p = positions - 1; p >= 0; --p)
                for (std::int64_t d = 0; d < width; ++d) {
                    const double da = dh[at(s, p, d)] * (1.0 - h[at(s, p, d)] * h[at(s, p, d)]);
                    dx[at(s, p, d)] = da;
                    db[d] += da;
                    for (std::int64_t i = 0; i < width && p > 0; ++i) {
                        dw[weight(i, d)] += h[at(s, p - 1, i)] * da;
                        dh[at(s, p - 1, i)] += static_cast<double>(w.values()[weight(i, d)]) * da;
                    }
                }
        }
    }
};

double worst_difference(std::span<const float> found, const std::vector<std::vector<double>>& expected) {
    double worst = 0.0, largest = 1.0;
    std::size_t i = 0;
    for (const std::vector<double>& part : expected)
        for (const double v : part) {
            worst = std::max(worst, std::abs(found[i++] - v));
            largest = std::max(largest, std::abs(v));
        }
    REQUIRE(i == found.size());
    return worst / largest;
}

const std::vector<Shape> shapes{{1, 1, 1}, {2, 3, 2}, {3, 2, 3}, {17, 4, 5}, {2, 9, 17}, {3, 3, 63}, {18, 2, 65}};

}  // namespace

TEST_CASE("recurrent_tanh: forward, backward and explanation agree") {
    for (const Shape& shape : shapes) CHECK(any_error(recurrent(shape)) == "");
}

TEST_CASE("recurrent_tanh: states and gradients in double") {
    for (const Shape& shape : shapes) {
        const OpCase c = recurrent(shape, 1.5);
        const Tensor dy = normal(shape, 4), h = forward(c);
        const Reference reference(c, dy);
        CHECK(worst_difference(h.values(), {reference.h}) < 2e-6);
        CHECK(worst_difference(backward(c, dy), {reference.dx, reference.dw, reference.db}) < 1e-5);
    }
}

TEST_CASE("recurrent_tanh: a sentence depends neither on the one before it nor on its own future") {
    const OpCase both = recurrent({2, 5, 17});
    OpCase second = both;
    second.tensors[0] =
        Tensor({1, 4, 17}, std::vector<float>(both.tensors[0].data() + 5 * 17, both.tensors[0].data() + 9 * 17));
    const Tensor h = forward(both), alone = forward(second);
    for (std::size_t i = 0; i < 4 * 17; ++i) CHECK(alone.values()[i] == h.values()[5 * 17 + i]);
}

TEST_CASE("recurrent_tanh: large inputs give the same bytes on any number of threads") {
    CHECK(thread_error(recurrent({65, 13, 33})) == "");
    CHECK(thread_error(recurrent({33, 3, 300})) == "");
}

TEST_CASE("recurrent_tanh: wrong shapes are refused") {
    CHECK(refuses(ops::recurrent_tanh(), {{2, 3, 4}, {4, 4}}));
    CHECK(refuses(ops::recurrent_tanh(), {{2, 3, 4}, {4, 3}, {4}}));
    CHECK(refuses(ops::recurrent_tanh(), {{2, 3, 4}, {4, 4}, {3}}));
    CHECK(refuses(ops::recurrent_tanh(), {{3, 4}, {4, 4}, {4}}));
    CHECK(refuses(ops::recurrent_tanh(), {{2, 3, 0}, {0, 0}, {0}}));
}
