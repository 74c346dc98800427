#include <doctest/doctest.h>

#include <cmath>

#include "tests/ops/op_harness.h"

using namespace glassformer;
using namespace glassformer::testing;

namespace {

/// x [B, P, 3D] for states [B, P, D].
OpCase gru(const Shape& states, double spread = 1.0) {
    const std::int64_t width = states.back();
    return {
        ops::recurrent_gru(),
        {normal({states[0], states[1], 3 * width}, 1),
         normal({width, 3 * width}, 2, spread / std::sqrt(static_cast<double>(width))), normal({3 * width}, 3, 0.3)},
        3e-3};
}

OpCase gates(const OpCase& c) { return {ops::gru_gates(), {c.tensors[0], forward(c), c.tensors[1], c.tensors[2]}}; }

/// One sentence of the layer in double, step by step.
class Reference {
public:
    using Row = std::vector<double>;

    Reference(const OpCase& c, std::int64_t sentence)
        : x_(c.tensors[0]), w_(c.tensors[1]), b_(c.tensors[2]), sentence_(sentence), width_(w_.shape()[0]) {
        Row before(static_cast<std::size_t>(width_), 0.0);
        for (std::int64_t p = 0; p < x_.shape()[1]; ++p) before = step(p, before);
    }

    std::vector<Row> r, z, n, h;

    /// Adds this sentence's gradients to dw and db, and returns those of x: the chain rule, state by state.
    std::vector<double> backward(const Tensor& dy, Row& dw, Row& db) const {
        const std::int64_t positions = x_.shape()[1];
        std::vector<double> dx(static_cast<std::size_t>(positions * 3 * width_));
        Row dh(slot(width_), 0.0);
        for (std::int64_t p = positions - 1; p >= 0; --p) {
            Row after = dh;
            std::ranges::fill(dh, 0.0);
            for (std::int64_t d = 0; d < width_; ++d) {
                const std::size_t i = slot(d), t = slot(p);
                const double total =
                    after[i] + static_cast<double>(dy.data()[(sentence_ * positions + p) * width_ + d]);
                const double old = p > 0 ? h[t - 1][i] : 0.0,
                             candidate = total * (1 - z[t][i]) * (1 - n[t][i] * n[t][i]);
                const double inner = recurrent(p, 2 * width_ + d);
                const double parts[3] = {candidate * inner * r[t][i] * (1 - r[t][i]),
                                         total * (old - n[t][i]) * z[t][i] * (1 - z[t][i]), candidate};
                for (std::int64_t gate = 0; gate < 3; ++gate) {
                    const std::int64_t column = gate * width_ + d;
                    dx[slot(p * 3 * width_ + column)] = parts[gate];
                    const double part = gate == 2 ? candidate * r[t][i] : parts[gate];
                    db[slot(column)] += part;
                    for (std::int64_t k = 0; k < width_ && p > 0; ++k) {
                        dw[slot(k * 3 * width_ + column)] += h[t - 1][slot(k)] * part;
                        dh[slot(k)] += weight(k, column) * part;
                    }
                }
                dh[i] += total * z[t][i];
            }
        }
        return dx;
    }

private:
    static std::size_t slot(std::int64_t i) { return static_cast<std::size_t>(i); }
    static double sigmoid(double v) { return 1.0 / (1.0 + std::exp(-v)); }
    double weight(std::int64_t row, std::int64_t column) const { return w_.data()[row * 3 * width_ + column]; }
    double input(std::int64_t p, std::int64_t column) const {
        return x_.data()[(sentence_ * x_.shape()[1] + p) * 3 * width_ + column];
    }
    /// (h_{p−1}·W + b)[column]
    double recurrent(std::int64_t p, std::int64_t column) const {
        double sum = b_.data()[column];
        for (std::int64_t k = 0; k < width_ && p > 0; ++k) sum += h[slot(p - 1)][slot(k)] * weight(k, column);
        return sum;
    }

    Row step(std::int64_t p, const Row& before) {
        for (auto* rows : {&r, &z, &n, &h}) rows->emplace_back(slot(width_));
        for (std::int64_t d = 0; d < width_; ++d) {
            const std::size_t i = slot(d);
            const double reset = sigmoid(input(p, d) + recurrent(p, d)),
                         keep = sigmoid(input(p, width_ + d) + recurrent(p, width_ + d)),
                         fresh = std::tanh(input(p, 2 * width_ + d) + reset * recurrent(p, 2 * width_ + d));
            r.back()[i] = reset;
            z.back()[i] = keep;
            n.back()[i] = fresh;
            h.back()[i] = (1 - keep) * fresh + keep * before[i];
        }
        return h.back();
    }

    Tensor x_, w_, b_;
    std::int64_t sentence_, width_;
};

const std::vector<Shape> shapes{{1, 1, 1}, {2, 3, 2}, {3, 2, 3}, {17, 4, 5}, {2, 9, 17}, {3, 3, 63}, {18, 2, 65}};

}  // namespace

TEST_CASE("recurrent_gru: forward, backward and explanation agree") {
    for (const Shape& shape : shapes) CHECK(any_error(gru(shape)) == "");
}

TEST_CASE("recurrent_gru: states, gates and gradients in double") {
    for (const Shape& shape : shapes) {
        const OpCase c = gru(shape, 1.5);
        const Tensor dy = normal(shape, 4), states = forward(c), gate_values = forward(gates(c));
        const std::vector<float> gradient = backward(c, dy);
        const std::int64_t width = shape[2];
        std::vector<double> dw(c.tensors[1].values().size()), db(c.tensors[2].values().size());
        double worst = 0.0, worst_slope = 0.0;
        const auto compare = [](double& worst_yet, float found, double expected) {
            worst_yet = std::max(worst_yet, std::abs(found - expected) / std::max(1.0, std::abs(expected)));
        };
        for (std::int64_t s = 0; s < shape[0]; ++s) {
            const Reference reference(c, s);
            for (std::int64_t p = 0; p < shape[1]; ++p)
                for (std::int64_t d = 0; d < width; ++d) {
                    const auto t = static_cast<std::size_t>(p), i = static_cast<std::size_t>(d);
                    const std::int64_t row = s * shape[1] + p;
                    compare(worst, states.data()[row * width + d], reference.h[t][i]);
                    compare(worst, gate_values.data()[row * 3 * width + d], reference.r[t][i]);
                    compare(worst, gate_values.data()[row * 3 * width + width + d], reference.z[t][i]);
                    compare(worst, gate_values.data()[row * 3 * width + 2 * width + d], reference.n[t][i]);
                }
            const std::vector<double> dx = reference.backward(dy, dw, db);
            for (std::size_t i = 0; i < dx.size(); ++i)
                compare(worst_slope, gradient[static_cast<std::size_t>(s) * dx.size() + i], dx[i]);
        }
        const std::size_t dw_at = c.tensors[0].values().size(), db_at = dw_at + dw.size();
        REQUIRE(gradient.size() == db_at + db.size());
        for (std::size_t i = 0; i < dw.size(); ++i) compare(worst_slope, gradient[dw_at + i], dw[i]);
        for (std::size_t i = 0; i < db.size(); ++i) compare(worst_slope, gradient[db_at + i], db[i]);
        CHECK(worst < 2e-6);
        CHECK(worst_slope < 1e-5);
    }
}

TEST_CASE("recurrent_gru: a closed update gate keeps the state, an open one takes the candidate") {
    // One feature: x is r, z, n; the state contributes only through z.
    const OpCase c{ops::recurrent_gru(),
                   {Tensor({1, 2, 3}, {0, -60, 0.5f, 0, 60, -2}), Tensor({1, 3}, {0, 0, 0}), Tensor({3}, {0, 0, 0})}};
    const Tensor h = forward(c);
    CHECK(h.data()[0] == doctest::Approx(std::tanh(0.5)));
    CHECK(h.data()[1] == h.data()[0]);
}

TEST_CASE("gru_gates: explanation and threads") {
    for (const Shape& shape : shapes) CHECK(any_error(gates(gru(shape))) == "");
    CHECK(thread_error(gates(gru({65, 13, 33}))) == "");
    CHECK(backward(gates(gru({2, 3, 5})), normal({2, 3, 15}, 1)).empty());
}

TEST_CASE("recurrent_gru: large inputs give the same bytes on any number of threads") {
    CHECK(thread_error(gru({65, 13, 33})) == "");
    CHECK(thread_error(gru({33, 3, 200})) == "");
}

TEST_CASE("recurrent_gru: wrong shapes are refused") {
    CHECK(refuses(ops::recurrent_gru(), {{2, 3, 12}, {4, 12}}));
    CHECK(refuses(ops::recurrent_gru(), {{2, 3, 4}, {4, 12}, {12}}));
    CHECK(refuses(ops::recurrent_gru(), {{2, 3, 12}, {4, 4}, {12}}));
    CHECK(refuses(ops::recurrent_gru(), {{2, 3, 12}, {4, 12}, {4}}));
    CHECK(refuses(ops::recurrent_gru(), {{3, 12}, {4, 12}, {12}}));
    CHECK(refuses(ops::recurrent_gru(), {{2, 3, 13}, {4, 13}, {13}}));
    CHECK(refuses(ops::gru_gates(), {{2, 3, 12}, {4, 12}, {12}}));
    CHECK(refuses(ops::gru_gates(), {{2, 3, 12}, {2, 3, 12}, {4, 12}, {12}}));
    CHECK(refuses(ops::gru_gates(), {{2, 3, 12}, {2, 2, 4}, {4, 12}, {12}}));
}
