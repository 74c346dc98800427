#pragma once

#include <string>

#include "core/graph/graph.h"
#include "core/nn/config.h"

namespace glassformer::nn {

/// Multi-head self-attention, softmax(q·kᵀ/√d_head)·v per head, then W_O (Vaswani et al. 2017).
/// x [batch, pos, d_model], key_mask [batch, pos] → [batch, pos, d_model], named block + ".hook_attn_out".
/// Names under block + ".attn": hook_q|k|v, hook_attn_scores_raw, hook_attn_scores_scaled, hook_attn_scores,
/// hook_pattern, hook_z, hook_result.
Node attention(const std::string& block, Node x, Node key_mask, const TransformerConfig& config);

}  // namespace glassformer::nn
