#pragma once

#include "core/train/optimizer.h"

namespace glassformer {

/// Adam (Kingma & Ba 2015), λ as a part of the gradient:  g ← g + λw,  m ← β₁m + (1−β₁)g,  v ← β₂v + (1−β₂)g²,
/// w ← w − lr·m̂/(√v̂ + ε)  with m̂ = m/(1−β₁ᵗ), v̂ = v/(1−β₂ᵗ).
class Adam : public Optimizer {
public:
    explicit Adam(const Graph& graph, const OptimizerOptions& options = {.kind = OptimizerKind::adam})
        : Adam(graph, options, false) {}

    std::string_view name() const override { return decoupled_ ? "AdamW" : "Adam"; }
    std::string_view formula() const override;
    void step(std::span<float> parameters, std::span<const float> gradients, float factor, float learning_rate,
              ThreadPool& pool) override;
    CellUpdate explain(const CellBefore& before) const override;

protected:
    Adam(const Graph& graph, const OptimizerOptions& options, bool decoupled)
        : Optimizer(graph, options, true, true), decoupled_(decoupled) {}

private:
    bool decoupled_;  // λ shrinks the weight itself
};

/// AdamW (Loshchilov & Hutter 2019):  m ← β₁m + (1−β₁)g,  v ← β₂v + (1−β₂)g²,
/// w ← w − lr·(m̂/(√v̂ + ε) + λw)  with m̂ = m/(1−β₁ᵗ), v̂ = v/(1−β₂ᵗ).
class AdamW final : public Adam {
public:
    explicit AdamW(const Graph& graph, const OptimizerOptions& options = {.kind = OptimizerKind::adamw})
        : Adam(graph, options, true) {}
};

}  // namespace glassformer
