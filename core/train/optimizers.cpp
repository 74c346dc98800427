#include <Eigen/Core>
#include <cmath>

#include "core/ops/op.h"
#include "core/train/optimizer.h"

namespace glassformer {

namespace {

// The lines that the methods' explanations share, with actual numbers.

std::string number(double value) { return format_number(value); }

/// "g = 0.42 · 0.031 + 0.01 · 0.2 = 0.015": clipping and, with `decay`, λ·w.
std::string gradient_line(const CellBefore& b, bool decay, double result) {
    std::string line = "g = " + number(b.factor) + " · " + number(b.gradient);
    if (decay && b.weight_decay > 0.0) line += " + " + number(b.weight_decay) + " · " + number(b.weight);
    return line + " = " + number(result);
}

/// "m = 0.9 · 0.001 + 0.1 · 0.015 = 0.0024".
std::string average_line(const char* name, double kept, double before, const char* power, double g, double result) {
    return std::string(name) + " = " + number(kept) + " · " + number(before) + " + " + number(1.0 - kept) + " · " +
           (*power && g < 0.0 ? "(" + number(g) + ")" : number(g)) + power + " = " + number(result);
}

/// "m̂ = 0.0024 / (1 − 0.9^12) = 0.0033".
std::string corrected_line(const char* name, double value, double kept, std::int64_t update, double result) {
    return std::string(name) + " = " + number(value) + " / (1 − " + number(kept) + "^" + std::to_string(update) +
           ") = " + number(result);
}

/// Adam's m̂ and v̂; appends the lines that lead up to them. `g` is the full gradient, after clipping and weight decay.
struct Moments {
    double m, v, m_hat, v_hat;
};

Moments moments(const CellBefore& b, const OptimizerOptions& o, double g, std::vector<std::string>& numbers) {
    const double beta1 = o.beta1, beta2 = o.beta2, t = static_cast<double>(b.update);
    Moments x{};
    x.m = beta1 * b.m + (1.0 - beta1) * g;
    x.v = beta2 * b.v + (1.0 - beta2) * g * g;
    x.m_hat = x.m / (1.0 - std::pow(beta1, t));
    x.v_hat = x.v / (1.0 - std::pow(beta2, t));
    numbers.push_back(average_line("m", beta1, b.m, "", g, x.m));
    numbers.push_back(average_line("v", beta2, b.v, "²", g, x.v));
    numbers.push_back("t = " + std::to_string(b.update));
    numbers.push_back(corrected_line("m̂", x.m, beta1, b.update, x.m_hat));
    numbers.push_back(corrected_line("v̂", x.v, beta2, b.update, x.v_hat));
    return x;
}

/// Stochastic gradient descent (Robbins & Monro 1951):  w ← w − lr·(g + λw).
class Sgd final : public Optimizer {
public:
    Sgd(const Graph& graph, const OptimizerOptions& options) : Optimizer(graph, options, false, false) {}

    std::string_view name() const override { return "SGD"; }
    std::string_view formula() const override { return "w ← w − lr · (g + λ·w)"; }
    void step(std::span<float> parameters, std::span<const float> gradients, float factor, float learning_rate,
              ThreadPool& pool) override {
        ++updates_;
        each_range(pool, [&](const Range& r) {
            const std::int64_t n = r.end - r.begin;
            Eigen::Map<Eigen::ArrayXf> w(parameters.data() + r.begin, n);
            const Eigen::Map<const Eigen::ArrayXf> g(gradients.data() + r.begin, n);
            w -= learning_rate * (factor * g + r.weight_decay * w);
        });
    }
    CellUpdate explain(const CellBefore& b) const override {
        CellUpdate u;
        const double g = b.factor * b.gradient + b.weight_decay * b.weight;
        u.change = -b.learning_rate * g;
        u.weight = b.weight + u.change;
        u.numbers = {gradient_line(b, true, g), "w = " + number(b.weight) + " − " + number(b.learning_rate) + " · " +
                                                    number(g) + " = " + number(u.weight)};
        return u;
    }
};

/// Stochastic gradient descent with momentum (Polyak 1964; as in PyTorch, undamped and with the learning rate outside
/// the average):  m ← μm + g + λw,  w ← w − lr·m.
class Momentum final : public Optimizer {
public:
    Momentum(const Graph& graph, const OptimizerOptions& options) : Optimizer(graph, options, true, false) {}

    std::string_view name() const override { return "Momentum"; }
    std::string_view formula() const override { return "m ← μ·m + g + λ·w\nw ← w − lr · m"; }
    void step(std::span<float> parameters, std::span<const float> gradients, float factor, float learning_rate,
              ThreadPool& pool) override {
        ++updates_;
        each_range(pool, [&](const Range& r) {
            const std::int64_t n = r.end - r.begin;
            Eigen::Map<Eigen::ArrayXf> w(parameters.data() + r.begin, n), m(m_.data() + r.begin, n);
            const Eigen::Map<const Eigen::ArrayXf> g(gradients.data() + r.begin, n);
            m = options_.momentum * m + (factor * g + r.weight_decay * w);
            w -= learning_rate * m;
        });
    }
    CellUpdate explain(const CellBefore& b) const override {
        CellUpdate u;
        const double kept = options_.momentum, g = b.factor * b.gradient + b.weight_decay * b.weight;
        u.m = kept * b.m + g;
        u.change = -b.learning_rate * u.m;
        u.weight = b.weight + u.change;
        u.numbers = {gradient_line(b, true, g),
                     "m = " + number(kept) + " · " + number(b.m) + " + " + number(g) + " = " + number(u.m),
                     "w = " + number(b.weight) + " − " + number(b.learning_rate) + " · " + number(u.m) + " = " +
                         number(u.weight)};
        return u;
    }
};

/// Adam (Kingma & Ba 2015), λ as part of the gradient:  g ← g + λw,  m ← β₁m + (1−β₁)g,  v ← β₂v + (1−β₂)g²,
/// w ← w − lr·m̂/(√v̂ + ε)  with m̂ = m/(1−β₁ᵗ), v̂ = v/(1−β₂ᵗ).
/// AdamW (Loshchilov & Hutter 2019), λ separate from it:  w ← w − lr·(m̂/(√v̂ + ε) + λw).
class Adam final : public Optimizer {
public:
    Adam(const Graph& graph, const OptimizerOptions& options)
        : Optimizer(graph, options, true, true), decoupled_(options.kind == OptimizerKind::adamw) {}

    std::string_view name() const override { return decoupled_ ? "AdamW" : "Adam"; }
    std::string_view formula() const override {
        return decoupled_ ? "m ← β₁·m + (1 − β₁)·g\nv ← β₂·v + (1 − β₂)·g²\nt ← t + 1\n"
                            "m̂ = m / (1 − β₁ᵗ)\nv̂ = v / (1 − β₂ᵗ)\n"
                            "w ← w − lr · (m̂ / (√v̂ + ε) + λ·w)"
                          : "g ← g + λ·w\nm ← β₁·m + (1 − β₁)·g\nv ← β₂·v + (1 − β₂)·g²\n"
                            "t ← t + 1\nm̂ = m / (1 − β₁ᵗ)\n"
                            "v̂ = v / (1 − β₂ᵗ)\nw ← w − lr · m̂ / (√v̂ + ε)";
    }
    void step(std::span<float> parameters, std::span<const float> gradients, float factor, float learning_rate,
              ThreadPool& pool) override {
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
    CellUpdate explain(const CellBefore& b) const override {
        CellUpdate u;
        const double epsilon = options_.epsilon, decay = decoupled_ ? b.weight_decay : 0.0,
                     g = b.factor * b.gradient + (decoupled_ ? 0.0 : b.weight_decay * b.weight);
        u.numbers.push_back(gradient_line(b, !decoupled_, g));
        const Moments x = moments(b, options_, g, u.numbers);
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

private:
    bool decoupled_;  // λ shrinks the weight itself
};

}  // namespace

std::unique_ptr<Optimizer> make_optimizer(const Graph& graph, const OptimizerOptions& options) {
    switch (options.kind) {
        case OptimizerKind::sgd:
            return std::make_unique<Sgd>(graph, options);
        case OptimizerKind::momentum:
            return std::make_unique<Momentum>(graph, options);
        case OptimizerKind::adam:
        case OptimizerKind::adamw:
            break;
    }
    return std::make_unique<Adam>(graph, options);
}

}  // namespace glassformer
