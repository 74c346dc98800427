#pragma once

#include "core/train/optimizer.h"

namespace glassformer {

/// Adam (Kingma & Ba 2015), λ as a part of the gradient:  g ← g + λw,  m ← β₁m + (1−β₁)g,  v ← β₂v + (1−β₂)g²,
/// w ← w − lr·m̂/(√v̂ + ε)  with m̂ = m/(1−β₁ᵗ), v̂ = v/(1−β₂ᵗ).
class Adam final : public Optimizer {
public:
    explicit Adam(const Graph& graph, const OptimizerOptions& options = {.kind = OptimizerKind::adam});

    std::string_view name() const override { return "Adam"; }
    std::string_view formula() const override;
    void step(std::span<float> parameters, std::span<const float> gradients, float factor, float learning_rate,
              ThreadPool& pool) override;
    CellUpdate explain(const CellBefore& before) const override;
};

}  // namespace glassformer
