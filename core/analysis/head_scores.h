#pragma once

#include <memory>
#include <vector>

#include "core/backend/backend.h"
#include "core/trace/trace.h"
#include "core/train/fixed_batch.h"
#include "core/train/head_score.h"

namespace glassformer {

/// The scores of all heads of self-attention over one traced sentence: previous_word_score, induction_score and
/// duplicate_token_score of core/analysis/head_pattern.h, 0 where they say nothing. None for a model without attention,
/// or one that reads numbers.
std::vector<HeadScore> head_scores(const Trace& trace);

/// Measures the same again and again as a model learns, on sentences of random words that are said twice, as Olsson et
/// al. (2022) do it: what is before tells nothing but through the repetition. Not thread-safe.
class HeadScoreProbe {
public:
    static constexpr int sentences = 8, longest_half = 16;

    /// Null where there is nothing to measure: no attention, numbers instead of words, a source sentence, or less than
    /// four words to read. Words below `first_word` are special and not used.
    static std::unique_ptr<HeadScoreProbe> make(Backend& backend, const TransformerConfig& config, int first_word);

    /// By block, then by head; the mean over the sentences.
    std::vector<HeadScore> measure(std::span<const float> parameters);

private:
    HeadScoreProbe(Backend& backend, const TransformerConfig& config, int first_word);

    FixedBatch batch_;
};

}  // namespace glassformer
