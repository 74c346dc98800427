#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/aligned.h"
#include "core/base/thread_pool.h"

namespace glassformer {

/// The tuned lens (Belrose et al. 2023, "Eliciting Latent Predictions from Transformers with the Tuned Lens"): a
/// separate affine map for each layer before the model's output head,
///     logits(l, p) = head(x + x · A_l + b_l),    x = stream_l[p]
/// trained to predict what the model itself predicts in the end. Training starts at A = 0 and b = 0, the logit lens.
struct TunedLens {
    struct Map {
        AlignedFloats values;  // A [d_model, d_model], then b [d_model]
        /// KL(model ‖ lens) in bits, averaged over held-out positions: for the logit lens, and with this map.
        double plain = 0.0, tuned = 0.0;
        int step = 0;  // best training step on them; 0: none beat the logit lens
    };

    int d_model = 0;
    std::vector<Map> maps;  // by layer, 0 … n_layers − 1; the last stream is the model's own and needs none

    /// Writes x + x · A + b for some rows of a layer's stream; for the last layer, x itself.
    void apply(int layer, std::span<const float> x, std::span<float> out, ThreadPool& pool) const;
};

/// Writes x + x · A + b for rows of d features; `values` is A, then b.
void apply_map(std::span<const float> values, std::int64_t d, std::span<const float> x, std::span<float> out,
               ThreadPool& pool);

/// The mean over rows of Σ p log₂(p / q), in bits: p = softmax(truth), q = softmax(said). Takes the logits and
/// probabilities of both, with `words` numbers per row.
double mean_kl(std::span<const float> truth_logits, std::span<const float> truth, std::span<const float> said_logits,
               std::span<const float> said, std::size_t words);

}  // namespace glassformer
