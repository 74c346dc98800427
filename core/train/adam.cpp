#include "core/train/adam.h"

#include <Eigen/Core>
#include <cmath>

#include "core/train/update_lines.h"

namespace glassformer {

std::string_view Adam::formula() const {
    return decoupled_ ? "m ← β₁·m + (1 − β₁)·g\nv ← β₂·v + (1 − β₂)·g²\nt ← updates since m and v began at 0\n"
                        "m̂ = m / (1 − β₁ᵗ)\nv̂ = v / (1 − β₂ᵗ)\n"
                        "w ← w − lr · (m̂ / (√v̂ + ε) + λ·w)"
                      : "g ← g + λ·w\nm ← β₁·m + (1 − β₁)·g\nv ← β₂·v + (1 − β₂)·g²\n"
                        "t ← updates since m and v began at 0\nm̂ = m / (1 − β₁ᵗ)\n"
                        "v̂ = v / (1 − β₂ᵗ)\nw ← w − lr · m̂ / (√v̂ + ε)";
}

void Adam::step(std::span<float> parameters, std::span<const float> gradients, float factor, float learning_rate,
                ThreadPool& pool) {
    ++updates_;
    const double t = static_cast<double>(updates_);
    const auto m_scale = static_cast<float>(1.0 / (1.0 - std::pow(static_cast<double>(options_.beta1), t)));
    const auto v_scale = static_cast<float>(1.0 / (1.0 - std::pow(static_cast<double>(options_.beta2), t)));
    each_range(pool, [&](const Range& r) {
        const std::int64_t n = r.end - r.begin;
        Eigen::Map<Eigen::ArrayXf> w(parameters.data() + r.begin, n), m(m_.data() + r.begin, n),
            v(v_.data() + r.begin, n);
        const Eigen::Map<const Eigen::ArrayXf> g(gradients.data() + r.begin, n);
        if (decoupled_) {
            m = options_.beta1 * m + (1.0f - options_.beta1) * factor * g;
            v = options_.beta2 * v + (1.0f - options_.beta2) * (factor * g).square();
            w -= learning_rate * (m * m_scale / ((v * v_scale).sqrt() + options_.epsilon) + r.weight_decay * w);
        } else {
            m = options_.beta1 * m + (1.0f - options_.beta1) * (factor * g + r.weight_decay * w);
            v = options_.beta2 * v + (1.0f - options_.beta2) * (factor * g + r.weight_decay * w).square();
            w -= learning_rate * (m * m_scale / ((v * v_scale).sqrt() + options_.epsilon));
        }
    });
}

CellUpdate Adam::explain(const CellBefore& b) const {
    using update_lines::number;
    CellUpdate u;
    const double epsilon = options_.epsilon, decay = decoupled_ ? b.weight_decay : 0.0,
                 g = b.factor * b.gradient + (decoupled_ ? 0.0 : b.weight_decay * b.weight);
    u.numbers.push_back(update_lines::gradient(b, !decoupled_, g));
    const update_lines::Moments x = update_lines::moments(b, options_, g, u.numbers);
    u.m = x.m;
    u.v = x.v;
    u.change = -b.learning_rate * (x.m_hat / (std::sqrt(x.v_hat) + epsilon) + decay * b.weight);
    u.weight = b.weight + u.change;
    const std::string ratio = number(x.m_hat) + " / (√" + number(x.v_hat) + " + " + number(epsilon) + ")",
                      shrunk = number(b.weight_decay) + " · " + number(b.weight);
    u.numbers.push_back("w = " + number(b.weight) + " − " + number(b.learning_rate) + " · " +
                        (decoupled_ ? "(" + ratio + " + " + shrunk + ")" : ratio) + " = " + number(u.weight));
    return u;
}

}  // namespace glassformer
