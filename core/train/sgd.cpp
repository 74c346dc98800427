#include "core/train/sgd.h"

#include <Eigen/Core>

#include "core/train/update_lines.h"

namespace glassformer {

Sgd::Sgd(const Graph& graph, const OptimizerOptions& options) : Optimizer(graph, options, false, false) {}

std::string_view Sgd::formula() const { return "w ← w − lr · (g + λ·w)"; }

void Sgd::step(std::span<float> parameters, std::span<const float> gradients, float factor, float learning_rate,
               ThreadPool& pool) {
    ++updates_;
    each_range(pool, [&](const Range& r) {
        const std::int64_t n = r.end - r.begin;
        Eigen::Map<Eigen::ArrayXf> w(parameters.data() + r.begin, n);
        const Eigen::Map<const Eigen::ArrayXf> g(gradients.data() + r.begin, n);
        w -= learning_rate * (factor * g + r.weight_decay * w);
    });
}

CellUpdate Sgd::explain(const CellBefore& b) const {
    using update_lines::number;
    CellUpdate u;
    const double g = b.factor * b.gradient + b.weight_decay * b.weight;
    u.change = -b.learning_rate * g;
    u.weight = b.weight + u.change;
    u.numbers = {update_lines::gradient(b, true, g), "w = " + number(b.weight) + " − " + number(b.learning_rate) +
                                                         " · " + number(g) + " = " + number(u.weight)};
    return u;
}

}  // namespace glassformer
