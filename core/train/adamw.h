#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/aligned.h"
#include "core/base/thread_pool.h"
#include "core/graph/graph.h"
#include "core/train/training_state.h"

namespace glassformer {

/// The numbers of the method, by the names of the paper.
struct AdamWOptions {
    float beta1 = 0.9f;
    float beta2 = 0.98f;
    float epsilon = 1e-8f;
    float weight_decay = 0.01f;  // of parameters with two axes or more; biases, γ and β are left alone
};

/// AdamW (Loshchilov & Hutter 2019):  m ← β₁m + (1−β₁)g,  v ← β₂v + (1−β₂)g²,
/// w ← w − lr·(m̂/(√v̂ + ε) + λw)  with m̂ = m/(1−β₁ᵗ), v̂ = v/(1−β₂ᵗ).
class AdamW {
public:
    AdamW(const Graph& graph, const AdamWOptions& options = {});

    /// One update. For the same bytes every time the parameters must start on a cache line (AlignedFloats).
    /// `factor` multiplies the gradient first (clipping).
    void step(std::span<float> parameters, std::span<const float> gradients, float factor, float learning_rate,
              ThreadPool& pool);
    /// Forgets m, v and the number of updates.
    void reset();

    std::int64_t updates() const { return updates_; }
    /// m and v, and the way back. Throws Error when the state has not the moments of this optimizer and model.
    std::vector<TrainingState::Moment> moments() const;
    void restore(const TrainingState& state);

private:
    struct Range {
        std::int64_t begin, end;
        float weight_decay;
    };

    AdamWOptions options_;
    std::vector<Range> ranges_;
    AlignedFloats m_, v_;
    std::int64_t updates_ = 0;
};

/// √ Σ g², summed in fixed pieces so that the number of threads does not matter.
double gradient_norm(std::span<const float> gradients, ThreadPool& pool);

}  // namespace glassformer
