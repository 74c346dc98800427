#pragma once

#include <cstdint>
#include <vector>

#include "core/train/batch_source.h"

namespace glassformer {

/// Masked-word prediction (Devlin et al. 2019): 20 % of the words are to be predicted; 80 % of those are replaced by
/// <mask>, the others stay as they are.
class MaskedWords final : public BatchSource {
public:
    static constexpr double predicted = 0.2, replaced = 0.8;

    /// `corpus` holds token ids, every sentence at most `positions` long.
    MaskedWords(std::vector<std::vector<int>> corpus, int positions);

    BatchShape shape(int batch) const override { return {batch, positions_}; }
    void draw(std::uint64_t seed, std::int64_t step, int batch, Batch& out) const override;

    const std::vector<std::vector<int>>& corpus() const { return corpus_; }

private:
    std::vector<std::vector<int>> corpus_;
    int positions_;
};

}  // namespace glassformer
