#pragma once

#include <vector>

#include "core/tasks/translation_batches.h"
#include "core/train/fixed_batch.h"
#include "core/train/task.h"

namespace glassformer {

/// How many sentences greedy decoding translates right as a whole, and how often cross-attention (averaged over the
/// heads of a layer, and of each head alone) looks most at the English word that the grammar says is translated.
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
