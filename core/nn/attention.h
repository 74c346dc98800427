#pragma once

#include <string>

#include "core/nn/build_context.h"

namespace glassformer::nn {

/// What one attention looks at.
struct AttentionInputs {
    Node x;         // who asks [batch, query, d_model]
    Node memory;    // who is asked [batch, key, d_model]; x itself for self-attention
    Node key_mask;  // [batch, key]: 1 a word, 0 padding
    bool causal = false;
};

/// Multi-head attention, softmax(q·kᵀ/√d_head)·v per head, then W_O (Vaswani et al. 2017), with the switches of
/// config.attention. Gives [batch, query, d_model]. Names under `prefix` ("blocks.0.attn", "blocks.0.cross_attn"):
/// hook_q|k|v (with one head of keys and values for each head of queries, copied from k_groups and v_groups where a
/// group shares them), q_norm and k_norm, hook_rot_q|rot_k (RoPE), hook_attn_scores_raw, hook_attn_scores_scaled,
/// hook_attn_scores_alibi, hook_attn_scores_causal, hook_attn_scores_window, hook_attn_scores, hook_pattern, hook_z,
/// hook_result. A stage that is switched off keeps its name for the value that passes through.
Node attention(BuildContext& a, const std::string& prefix, const AttentionInputs& in);

}  // namespace glassformer::nn
