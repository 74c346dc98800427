#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/trace/trace.h"

namespace glassformer {

/// A place in a model: a node, and one position or head of it, or all of them (−1). In a pattern or scores [head,
/// query, key] the position is the query.
struct HookPoint {
    std::string node;
    int position = -1;
    int head = -1;
    bool operator==(const HookPoint&) const = default;
};

/// The cells of a place, ascending, in every sentence of the batch. Throws Error if the model has no such node, or the
/// node no such position or head.
std::vector<Intervention::Range> cells_of(const TransformerGraph& model, const HookPoint& site);

/// An intervention on all cells of a place. Names for the same memory (hook_q and hook_k of a shared projection) are
/// one place: setting one sets the other. `values` has one value per cell, in the order of cells_of(), or a number of
/// values that divides the cell count and is repeated. Throws Error if they do not fit.
Intervention set_cells(const TransformerGraph& model, const HookPoint& site, std::span<const float> values);

/// The traced values of a place, in the order of cells_of().
std::vector<float> values_of(const Trace& trace, const HookPoint& site);

// Interventions that ablate a part of a model or set where a head looks. Each throws Error if the model has no such
// block, head or position. Apply them to runs of the graph of `model`, or of one with the same number of positions.

/// Which attention of a block: self-attention, or in the decoder of an encoder–decoder the attention to the source.
enum class AttentionTo { itself, source };

/// Zero ablation: a head writes nothing, its z is 0 at every position. b_O, which all heads share, stays.
Intervention ablate_head(const TransformerGraph& model, int block, int head, AttentionTo to = AttentionTo::itself);
/// The mean of consecutive rows of this width.
std::vector<float> mean_row(std::span<const float> rows, std::size_t width);

/// Sets hook_attn_out of a block (b_O included; hook_cross_attn_out for attention to the source) or hook_mlp_out to 0
/// at every position: the stream bypasses the layer.
Intervention ablate_attention(const TransformerGraph& model, int block, AttentionTo to = AttentionTo::itself);
Intervention ablate_mlp(const TransformerGraph& model, int block);

/// The node that a pattern is computed from: the scores after mask and scale, −∞ where a key is masked.
int scores_node(const TransformerGraph& model, int block, AttentionTo to = AttentionTo::itself);

/// Sets a head's pattern to 1/n on the n keys that its mask allows (score not −∞) and 0 elsewhere, for one query or for
/// all (−1). Fully masked rows stay 0. `scores` holds all values of scores_node() from some pass.
Intervention uniform_attention(const TransformerGraph& model, std::span<const float> scores, int block, int head,
                               int query = -1, AttentionTo to = AttentionTo::itself);
Intervention uniform_attention(const Trace& trace, int block, int head, int query = -1,
                               AttentionTo to = AttentionTo::itself);
/// Sets a head's pattern to 1 on the key with the largest score (the first one in a tie) and 0 elsewhere.
Intervention hard_attention(const TransformerGraph& model, std::span<const float> scores, int block, int head,
                            int query = -1, AttentionTo to = AttentionTo::itself);
Intervention hard_attention(const Trace& trace, int block, int head, int query = -1,
                            AttentionTo to = AttentionTo::itself);
/// Sets one row of a head's pattern to `weights` [key], which need not sum to 1 or respect the mask. Throws Error
/// unless there is one weight per key, all finite.
Intervention set_attention_row(const TransformerGraph& model, int block, int head, int query,
                               std::span<const float> weights, AttentionTo to = AttentionTo::itself);

}  // namespace glassformer
