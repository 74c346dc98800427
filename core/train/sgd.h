#pragma once

#include "core/train/optimizer.h"

namespace glassformer {

/// Stochastic gradient descent (Robbins & Monro 1951):  w ← w − lr·(g + λw).
class Sgd final : public Optimizer {
public:
    explicit Sgd(const Graph& graph, const OptimizerOptions& options = {.kind = OptimizerKind::sgd});

    std::string_view name() const override { return "SGD"; }
    std::string_view formula() const override;
    void step(std::span<float> parameters, std::span<const float> gradients, float factor, float learning_rate,
              ThreadPool& pool) override;
    CellUpdate explain(const CellBefore& before) const override;
};

}  // namespace glassformer
