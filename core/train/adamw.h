#pragma once

#include "core/train/optimizer.h"

namespace glassformer {

/// AdamW (Loshchilov & Hutter 2019):  m ← β₁m + (1−β₁)g,  v ← β₂v + (1−β₂)g²,
/// w ← w − lr·(m̂/(√v̂ + ε) + λw)  with m̂ = m/(1−β₁ᵗ), v̂ = v/(1−β₂ᵗ).
class AdamW final : public Optimizer {
public:
    explicit AdamW(const Graph& graph, const OptimizerOptions& options = {.kind = OptimizerKind::adamw});

    std::string_view name() const override { return "AdamW"; }
    std::string_view formula() const override;
    void step(std::span<float> parameters, std::span<const float> gradients, float factor, float learning_rate,
              ThreadPool& pool) override;
    CellUpdate explain(const CellBefore& before) const override;
};

}  // namespace glassformer
