#pragma once

#include <cstdint>
#include <limits>
#include <memory>

#include "core/graph/graph.h"
#include "core/graph/plan.h"

namespace glassformer::gl {

/// The widest rows of q, k and v that one invocation keeps in registers.
inline constexpr std::int64_t widest_fused_head = 128;

/// The same graph, with attention over long sequences as one op, so that no table of queries × keys is stored: neither
/// the scores and the pattern, nor their gradients. Forward walks over the keys with a running maximum and a running
/// sum for each query, and keeps the logarithm of the sum of the exponentials. Backward recomputes the weights from q,
/// k and that logarithm (Dao et al. 2022, "FlashAttention"; Dao 2023). Ids, names and parameters stay as they are.
///
/// Replaces a chain attention_scores → scale → alibi → mask_causal → mask → softmax → attention_values (scale, alibi
/// and the masks are optional) if its table has at least `from` × `from` cells, no node inside it is requested
/// (request.keep, the loss) or read by any other op that runs, no head is wider than widest_fused_head, and no
/// invocation needs more than `most_iterations` loop iterations. Everything else runs unfused: hardmax, the stages in
/// another order, another op between them (dropout of the weights, a learned bias). Returns the given graph itself if
/// nothing is replaced.
///
/// A non-finite score makes its query's z NaN, and with it the loss. The trainer then repeats the step on the CPU,
/// unfused, and names the op (core/train/trainer.h). Scores for keys beyond the last one that a block of queries may
/// see are never computed, so an overflow there goes unnoticed. Unfused, as on the CPU, every op's output is checked,
/// even where the causal mask hides it: there such a score stops the training. Nothing reads that score, so fused
/// training correctly continues, and unfused training merely stops early; a q·k beyond 3.4e38 seldom stays hidden for
/// long.
///
/// Each chain is replaced by two ops that only this backend's recorder runs (core/backend/gl/ops/attention.cpp):
///   attention_rows  of q: a place for two numbers per query [B, H, P_q, 2], in place of softmax: the logarithm of
///                   the sum, and Σ dz ⊙ z for the backward pass. The first is NaN if a score was not finite.
///   attention       of q, k, v, attention_rows and, with a mask, its keys: computes z [B, P_q, H, D] and fills the
///                   first of the two; NaN if a score is not finite. Attributes: factor, alibi, causal.
std::shared_ptr<const Graph> fuse_attention(std::shared_ptr<const Graph> graph, const PlanRequest& request,
                                            std::int64_t from,
                                            std::int64_t most_iterations = std::numeric_limits<std::int64_t>::max());

/// The most loop iterations that one invocation of attention runs: over the rows of the other side by four, and over
/// the width of each by four. The gradients of q and k read two rows as wide as a head and one as wide as a value.
std::int64_t fused_iterations(std::int64_t others, std::int64_t head_width, std::int64_t value_width);

/// True if the node is such a place for numbers rather than a value of the original graph.
bool is_attention_rows(const NodeInfo& info);

}  // namespace glassformer::gl
