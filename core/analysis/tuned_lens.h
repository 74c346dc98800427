#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/aligned.h"
#include "core/base/thread_pool.h"

namespace glassformer {

/// The tuned lens (Belrose et al. 2023, "Eliciting Latent Predictions from Transformers with the Tuned Lens"): an
/// affine map of its own for each layer before the model's output head,
///     logits(l, p) = head(x + x · A_l + b_l),    x = stream_l[p]
/// learned so that it says what the model itself will say in the end. With A = 0 and b = 0, where it starts, it is the
/// logit lens.
struct TunedLens {
    struct Map {
        AlignedFloats values;  // A [d_model, d_model], then b [d_model]
        /// KL(model ‖ lens) in bits, the mean over held-out positions: of the logit lens, and with this map.
        double plain = 0.0, tuned = 0.0;
        int step = 0;  // of its training that did best on them; 0: none did better than the logit lens
    };

    int d_model = 0;
    std::vector<Map> maps;  // by layer, 0 … n_layers − 1; the last stream is the model's own and needs none

    /// x + x · A + b of some rows of a layer's stream; of the last layer x itself.
    void apply(int layer, std::span<const float> x, std::span<float> out, ThreadPool& pool) const;
};

/// x + x · A + b of rows of d features; `values` is A, then b.
void apply_map(std::span<const float> values, std::int64_t d, std::span<const float> x, std::span<float> out,
               ThreadPool& pool);

/// The mean over rows of Σ p log₂(p / q), in bits: p = softmax(truth), q = softmax(said). Both are logits with their
/// probabilities, of `words` numbers a row.
double mean_kl(std::span<const float> truth_logits, std::span<const float> truth, std::span<const float> said_logits,
               std::span<const float> said, std::size_t words);

}  // namespace glassformer
