#pragma once

#include <cstdint>
#include <limits>
#include <memory>

#include "core/graph/graph.h"
#include "core/graph/plan.h"

namespace glassformer::gl {

/// The widest rows of q, k and v that one invocation keeps in its registers.
inline constexpr std::int64_t widest_fused_head = 128;

/// The same graph with attention over long sequences as one op, so that no table of queries × keys is stored: neither
/// the scores on their way to the pattern, nor their gradients. Forward walks over the keys with a running maximum and
/// a running sum for each query and keeps the logarithm of the sum of the exponentials; backward makes the weights
/// again from q, k and that (Dao et al. 2022, "FlashAttention"; Dao 2023). Ids, names and parameters stay as they are.
///
/// A chain attention_scores → scale → alibi → mask_causal → mask → softmax → attention_values is replaced, where scale,
/// alibi and the masks may be missing, when its table has at least `from` × `from` cells, no node within it is asked
/// for (request.keep, the loss) or read by any other op that runs, no head is wider than widest_fused_head, and
/// no invocation needs more than `most_iterations` of its loops. All else runs as it is: hardmax, the stages in another
/// order, another op between them (dropout of the weights, a bias of one's own). The given graph itself when nothing is
/// replaced.
///
/// A score that is not finite makes its query's z NaN, and with it the loss; the trainer then makes the step again on
/// the processor, in single steps, and names the op (core/train/trainer.h). Of the scores that the causal mask hides,
/// those of keys beyond the last that a block of queries sees are never computed, so one that would overflow there goes
/// unseen. In single steps, as on the processor, every op's output is looked at, hidden or not: there such a score
/// stops the training. Nothing reads it, so both go on rightly or stop early; a q·k beyond 3.4e38 seldom stays hidden
/// for long.
///
/// In place of each chain are two ops that only the recorder of this backend runs (core/backend/gl/ops/attention.cpp):
///   attention_rows  of q: a place for two numbers of each query [B, H, P_q, 2], where softmax was; the logarithm of
///                   the sum, and Σ dz ⊙ z for the backward pass. The first is NaN where a score was not finite.
///   attention       of q, k, v, attention_rows and, with a mask, its keys: z [B, P_q, H, D], and fills the first of
///                   the two; NaN where a score is not finite. Attributes: factor, alibi, causal.
std::shared_ptr<const Graph> fuse_attention(std::shared_ptr<const Graph> graph, const PlanRequest& request,
                                            std::int64_t from,
                                            std::int64_t most_iterations = std::numeric_limits<std::int64_t>::max());

/// How often one invocation of attention runs its loops, at most: over the rows of the other side by four, and over the
/// width of each by four. The gradients of q and k read two rows as wide as a head and one as wide as a value.
std::int64_t fused_iterations(std::int64_t others, std::int64_t head_width, std::int64_t value_width);

/// Whether the node is such a place of numbers, and no value of the graph as it was given.
bool is_attention_rows(const NodeInfo& info);

}  // namespace glassformer::gl
