#pragma once

#include <span>
#include <vector>

#include "core/train/batch_source.h"

namespace glassformer {

/// For each head of pattern [batch, head, query, key], the mean weight on the token just before, over all tokens but
/// each sentence's first (a previous-token head scores near 1).
std::vector<double> previous_word_scores(std::span<const float> pattern, int n_heads, int positions,
                                         const Batch& batch);

/// For each head, the mean weight on the token after the earlier copy of the token that it is on, over the tokens
/// whose next one is to be predicted and that have an earlier copy (an induction head scores near 1; Olsson et al.
/// 2022). The latest copy counts where there are more.
std::vector<double> induction_scores(std::span<const float> pattern, int n_heads, int positions, const Batch& batch);

}  // namespace glassformer
