#pragma once

#include <vector>

#include "core/train/batch_source.h"

namespace glassformer {

/// Windows of a long text: `positions` tokens, each position's target being the token after it.
class TextBatches final : public BatchSource {
public:
    /// Throws Error when there are fewer than positions + 1 tokens.
    TextBatches(std::vector<int> tokens, int positions);

    BatchShape shape(int batch) const override { return {batch, positions_}; }
    /// Windows that begin anywhere, each place as likely.
    void draw(std::uint64_t seed, std::int64_t step, int batch, Batch& out) const override;
    /// Windows at even distances: spread().
    int measured(int most, Batch& out) const override;

    /// Windows spread evenly over the text, from its beginning to its end, that share no target: as many as there is
    /// room for, `most` at the most.
    Batch spread(int most) const;
    /// How many spread(most) gives.
    int windows(int most) const;
    const std::vector<int>& tokens() const { return tokens_; }

private:
    void clear(int batch, Batch& out) const;
    void put(std::size_t begin, int row, Batch& out) const;

    std::vector<int> tokens_;
    int positions_;
};

}  // namespace glassformer
