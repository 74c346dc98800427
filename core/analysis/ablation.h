#pragma once

#include <memory>

#include "core/analysis/hook_point.h"

/// Interventions that take a part out of a model, or tell a head where to look. Each throws Error when the model has no
/// such block, head or position. The runs that they go into need the graph of `model`, or one of as many positions.
namespace glassformer {

/// Which attention of a block: that to its own sentence, or in the decoder of an encoder–decoder that to the source.
enum class AttentionTo { itself, source };

/// One head writes nothing: its z is 0 at every position (zero ablation). b_O, which all heads share, stays.
Intervention ablate_head(const TransformerGraph& model, int block, int head, AttentionTo to = AttentionTo::itself);
/// One head writes the same everywhere: its z is `mean` [d_value], as from mean_head() (mean ablation). What the head
/// says regardless of the sentence stays, so that the rest of the model sees nothing unusual.
Intervention ablate_head(const TransformerGraph& model, int block, int head, std::span<const float> mean);
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
