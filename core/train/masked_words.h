#pragma once

#include <cstdint>
#include <vector>

#include "core/nn/transformer.h"

namespace glassformer {

/// One batch, as the encoder's four inputs; sentences are padded to the same length.
struct Batch {
    std::vector<float> tokens, key_mask, targets, loss_weights;  // each [batch · positions]
};

/// Masked-word prediction (Devlin et al. 2019): 20 % of the words are to be predicted; 80 % of those are replaced by
/// <mask>, the others stay as they are.
class MaskedWords {
public:
    static constexpr double predicted = 0.2, replaced = 0.8;

    /// `corpus` holds token ids, every sentence at most `positions` long.
    MaskedWords(std::vector<std::vector<int>> corpus, int batch, int positions, std::uint64_t seed);

    /// The batch of update number `step`: a function of the seed and the step alone. Fills `batch` in place.
    void draw(std::int64_t step, Batch& batch) const;

    int batch() const { return batch_; }
    int positions() const { return positions_; }
    const std::vector<std::vector<int>>& corpus() const { return corpus_; }

private:
    std::vector<std::vector<int>> corpus_;
    int batch_, positions_;
    std::uint64_t seed_;
};

}  // namespace glassformer
