#pragma once

#include <vector>

#include "core/tasks/world_data.h"
#include "core/text/word_tokenizer.h"
#include "core/train/fixed_batch.h"
#include "core/train/task.h"
#include "core/worlds/translation.h"

namespace glassformer {

/// A sentence pair in the form the model reads.
struct TranslationPair {
    std::vector<int> source;     ///< of the source language
    std::vector<int> input;      ///< <bos> and the words of the translation
    std::vector<int> target;     ///< those words and <eos>
    std::vector<int> alignment;  ///< for each target word (without <eos>), the position of its source word
};

/// Word tokenizers for both sides; the target vocabulary begins with <bos> and <eos>.
WordTokenizer source_tokenizer_of(const TranslationWorld& world);
WordTokenizer target_tokenizer_of(const TranslationWorld& world);

std::vector<TranslationPair> translation_pairs(const TranslationWorld& world, Split split, std::size_t count,
                                               std::uint64_t seed);

/// Writes pairs as rows of a batch, for teacher forcing.
struct TranslationRows {
    using Row = TranslationPair;
    static void clear(const BatchShape& shape, Batch& out) { clear_rows(shape, out); }
    static void put(const TranslationPair& pair, std::size_t row, const BatchShape& shape, Batch& out);
};
using TranslationBatches = DrawnRows<TranslationRows>;

/// The share of sentences that greedy decoding translates entirely right, and how often cross-attention (averaged over
/// the heads of a layer, and for each head alone) attends most to the source word that the grammar aligns.
///
/// A single forward pass with the true words as input is enough: greedy decoding writes the true sentence exactly if,
/// after every true prefix, the likeliest next word is the true one.
class TranslationMetric final : public Metric {
public:
    TranslationMetric(Backend& backend, const TransformerConfig& config, const BatchShape& shape,
                      std::vector<TranslationPair> pairs);

    Measurement measure(std::span<const float> parameters) override;

private:
    /// The share of words in all sentences that are aligned correctly, for each head and, as the last entry, for the
    /// average over heads.
    std::vector<double> aligned(int layer);

    std::vector<TranslationPair> pairs_;
    FixedBatch batch_;
};

}  // namespace glassformer
