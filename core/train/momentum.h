#pragma once

#include "core/train/optimizer.h"

namespace glassformer {

/// Stochastic gradient descent with momentum (Polyak 1964; without damping, and the learning rate outside of the
/// average, as PyTorch has it):  m ← μm + g + λw,  w ← w − lr·m.
class Momentum final : public Optimizer {
public:
    explicit Momentum(const Graph& graph, const OptimizerOptions& options = {.kind = OptimizerKind::momentum});

    std::string_view name() const override { return "Momentum"; }
    std::string_view formula() const override;
    void step(std::span<float> parameters, std::span<const float> gradients, float factor, float learning_rate,
              ThreadPool& pool) override;
    CellUpdate explain(const CellBefore& before) const override;
};

}  // namespace glassformer
