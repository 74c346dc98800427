#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/trace/trace.h"

namespace glassformer {

/// A place in a model: a node, and one position or one head of it, or all of them (−1). Of a pattern or of scores
/// [head, query, key] the position is the query.
struct HookPoint {
    std::string node;
    int position = -1;
    int head = -1;
    bool operator==(const HookPoint&) const = default;
};

/// The cells of a place, ascending, in every sentence of the batch. Throws Error when the model has no such node, or
/// the node no such position or head.
std::vector<Intervention::Range> cells_of(const TransformerGraph& model, const HookPoint& site);

/// An intervention on all the cells of a place. Names of one memory (hook_q and hook_k of a shared projection) are one
/// place: what is set in one is set in the other. `values` has one value for each, in the order of cells_of(), or as
/// many as go into them evenly and are repeated. Throws Error when they do not fit.
Intervention set_cells(const TransformerGraph& model, const HookPoint& site, std::span<const float> values);

/// The traced values of a place, in the order of cells_of().
std::vector<float> values_of(const Trace& trace, const HookPoint& site);

// Interventions that take a part out of a model, or tell a head where to look. Each throws Error when the model has no
// such block, head or position. The runs that they go into need the graph of `model`, or one of as many positions.

/// Which attention of a block: that to its own sentence, or in the decoder of an encoder–decoder that to the source.
enum class AttentionTo { itself, source };

/// One head writes nothing: its z is 0 at every position (zero ablation). b_O, which all heads share, stays.
Intervention ablate_head(const TransformerGraph& model, int block, int head, AttentionTo to = AttentionTo::itself);
/// One head writes the same everywhere: its z is `mean` [d_value], as from mean_head() (mean ablation). What the head
/// says regardless of the sentence stays, so that the rest of the model sees nothing unusual.
Intervention ablate_head(const TransformerGraph& model, int block, int head, std::span<const float> mean);
/// The mean of rows of this width, which lie one after the other.
std::vector<float> mean_row(std::span<const float> rows, std::size_t width);
/// The mean of a head's z over all the positions of these traces: [d_value]. Throws Error when there are none.
std::vector<float> mean_head(std::span<const std::shared_ptr<const Trace>> traces, int block, int head);

/// hook_attn_out of a block (b_O included; hook_cross_attn_out of that to the source) or hook_mlp_out is 0 at every
/// position: the stream passes the layer by.
Intervention ablate_attention(const TransformerGraph& model, int block, AttentionTo to = AttentionTo::itself);
Intervention ablate_mlp(const TransformerGraph& model, int block);
/// hook_pos_embed is 0, at one position or at all (−1). Throws Error for models that add no position to the embedding.
Intervention ablate_position(const TransformerGraph& model, int position = -1);

/// The node that a pattern is made of: its scores after mask and scale, −∞ where a key is hidden.
int scores_node(const TransformerGraph& model, int block, AttentionTo to = AttentionTo::itself);

/// A head's pattern is 1/n on the n keys that its mask allows (whose score is not −∞), 0 elsewhere; for one query or
/// for all (−1). Rows that are hidden throughout stay 0. `scores` are all the values of scores_node() in some pass.
Intervention uniform_attention(const TransformerGraph& model, std::span<const float> scores, int block, int head,
                               int query = -1, AttentionTo to = AttentionTo::itself);
Intervention uniform_attention(const Trace& trace, int block, int head, int query = -1,
                               AttentionTo to = AttentionTo::itself);
/// A head's pattern is 1 on the key with the largest score (the first of equals), 0 elsewhere.
Intervention hard_attention(const TransformerGraph& model, std::span<const float> scores, int block, int head,
                            int query = -1, AttentionTo to = AttentionTo::itself);
Intervention hard_attention(const Trace& trace, int block, int head, int query = -1,
                            AttentionTo to = AttentionTo::itself);
/// One row of a head's pattern: `weights` [key], which need not add up to 1, nor respect the mask. Throws Error when
/// there is not one for each key, or one is not a finite number.
Intervention set_attention_row(const TransformerGraph& model, int block, int head, int query,
                               std::span<const float> weights, AttentionTo to = AttentionTo::itself);

}  // namespace glassformer
