#pragma once

#include <vector>

#include "core/tasks/world_data.h"
#include "core/text/word_tokenizer.h"
#include "core/train/fixed_batch.h"
#include "core/train/task.h"
#include "core/worlds/translation.h"

namespace glassformer {

/// A sentence pair as the model reads it.
struct TranslationPair {
    std::vector<int> source;     ///< of the source language
    std::vector<int> input;      ///< <bos> and the words of the translation
    std::vector<int> target;     ///< those words and <eos>
    std::vector<int> alignment;  ///< of target, without <eos>: the place in source of the word that it translates
};

/// Words for both sides; those of the target language begin with <bos> and <eos>.
WordTokenizer source_tokenizer_of(const TranslationWorld& world);
WordTokenizer target_tokenizer_of(const TranslationWorld& world);

std::vector<TranslationPair> translation_pairs(const TranslationWorld& world, Split split, std::size_t count,
                                               std::uint64_t seed);

/// Pairs as rows of a batch, for teacher forcing.
struct TranslationRows {
    using Row = TranslationPair;
    static void clear(const BatchShape& shape, Batch& out) { clear_rows(shape, out); }
    static void put(const TranslationPair& pair, std::size_t row, const BatchShape& shape, Batch& out);
};
using TranslationBatches = DrawnRows<TranslationRows>;

/// How many sentences greedy decoding translates right as a whole, and how often cross-attention (averaged over the
/// heads of a layer, and of each head alone) looks most at the source word that the grammar says is translated.
///
/// One forward pass with the true words as input tells it: greedy decoding writes the true sentence exactly if, after
/// every true beginning of it, the likeliest next word is the true one.
class TranslationMetric final : public Metric {
public:
    TranslationMetric(Backend& backend, const TransformerConfig& config, const BatchShape& shape,
                      std::vector<TranslationPair> pairs);

    Measurement measure(std::span<const float> parameters) override;

private:
    /// Of the words of all sentences, by head and (last) for the average over heads: the share aligned as it should be.
    std::vector<double> aligned(int layer);

    std::vector<TranslationPair> pairs_;
    FixedBatch batch_;
};

}  // namespace glassformer
