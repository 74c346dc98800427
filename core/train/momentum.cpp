#include "core/train/momentum.h"

#include <Eigen/Core>

#include "core/train/update_lines.h"

namespace glassformer {

Momentum::Momentum(const Graph& graph, const OptimizerOptions& options) : Optimizer(graph, options, true, false) {}

std::string_view Momentum::formula() const { return "m ← μ·m + g + λ·w\nw ← w − lr · m"; }

void Momentum::step(std::span<float> parameters, std::span<const float> gradients, float factor, float learning_rate,
                    ThreadPool& pool) {
    ++updates_;
    each_range(pool, [&](const Range& r) {
        const std::int64_t n = r.end - r.begin;
        Eigen::Map<Eigen::ArrayXf> w(parameters.data() + r.begin, n), m(m_.data() + r.begin, n);
        const Eigen::Map<const Eigen::ArrayXf> g(gradients.data() + r.begin, n);
        m = options_.momentum * m + (factor * g + r.weight_decay * w);
        w -= learning_rate * m;
    });
}

CellUpdate Momentum::explain(const CellBefore& b) const {
    using update_lines::number;
    CellUpdate u;
    const double kept = options_.momentum, g = b.factor * b.gradient + b.weight_decay * b.weight;
    u.m = kept * b.m + g;
    u.change = -b.learning_rate * u.m;
    u.weight = b.weight + u.change;
    u.numbers = {
        update_lines::gradient(b, true, g),
        "m = " + number(kept) + " · " + number(b.m) + " + " + number(g) + " = " + number(u.m),
        "w = " + number(b.weight) + " − " + number(b.learning_rate) + " · " + number(u.m) + " = " + number(u.weight)};
    return u;
}

}  // namespace glassformer
