#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/text/word_tokenizer.h"
#include "core/train/batch_source.h"
#include "core/train/task.h"

namespace glassformer {

/// Held-out data that are drawn at random come from this stream, which no batch (batch_streams and above) and no
/// parameter (from 0 on) ever uses; so they differ from what is trained on, whatever the seed of the training.
inline constexpr std::uint64_t held_out_seed = 1, held_out_stream = batch_streams - 1;

/// The ids of a world's words. Throws Error naming a word that the tokenizer does not have.
std::vector<int> word_ids(const WordTokenizer& tokenizer, std::span<const std::string> words);

/// Empties a batch whose every position has a next token: tokens, key_mask, targets and loss_weights are zeros.
void clear_rows(std::size_t rows, std::size_t positions, Batch& out);

/// Writes ids into row `row` of values [batch, positions], from its first cell on.
void put_row(std::span<const int> ids, std::size_t row, std::size_t positions, std::vector<float>& values);

/// Writes ones into the first `count` cells of that row.
void put_ones(std::size_t count, std::size_t row, std::size_t positions, std::vector<float>& values);

/// Sentences for the menus of a world that has none of its own, as ids: drawn as its training draws them, cut after 32
/// tokens, the first two of one length.
std::vector<std::vector<int>> drawn_sentences(const BatchSource& batches);

/// Samples for a model that reads numbers: "sample 1", "sample 2" … name prompts, which have no text.
std::vector<Sample> numbered_samples();

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
