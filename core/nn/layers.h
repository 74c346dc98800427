#pragma once

#include <cstdint>
#include <string>

#include "core/graph/graph.h"
#include "core/nn/config.h"

namespace glassformer::nn {

/// The keys and values of earlier words, for a model that reads one word at a time.
struct KeyValueCache {
    Node position;     // input [1]: position of the new word
    Node valid_mask;   // input [1, capacity]: 1 up to that position, 0 after it
    Node window_mask;  // if blocks have a window, input [1, capacity]: 1 for the words in it; else no node
    std::int64_t capacity = 0;
};

/// A model under construction: what its layers share.
struct BuildContext {
    Graph& graph;
    const TransformerConfig& config;
    Node state = {};                       // {training, step, seed} [3]; created by the first layer that needs it
    const KeyValueCache* cache = nullptr;  // only when reading one word at a time
    std::uint32_t n_dropouts = 0;          // each dropout draws from its own stream
};

/// The input {training, step, seed} [3].
Node training_state(BuildContext& a);

/// x·W + b with new parameters prefix.W_name [d_in, d_out] and, if `bias`, prefix.b_name [d_out].
Node linear(BuildContext& a, const std::string& prefix, const std::string& name, Node x, std::int64_t d_out, bool bias);

/// Sets random cells of x to 0 in training, as a node `name`; returns x itself if the model has no dropout.
Node dropout(BuildContext& a, const std::string& name, Node x);

/// The model's kind of normalization of x [batch, pos, d_model], in stages, each a node under `prefix`
/// ("blocks.0.ln1"); parameters prefix.w (γ) and prefix.b (β).
/// LayerNorm (Ba et al. 2016) has hook_mean and hook_scale; RMSNorm (Zhang & Sennrich 2019, no β) has hook_scale; batch
/// normalization (Ioffe & Szegedy 2015) has hook_batch_mean and hook_batch_variance, and the parameters
/// prefix.running_mean and prefix.running_var, which get no gradient and are updated by the trainer (see
/// running_statistics.h). All have hook_normalized (before γ and β) and hook_out. `key_mask` [batch, pos] tells words
/// from padding, for the batch's statistics.
Node norm(BuildContext& a, const std::string& prefix, Node x, Node key_mask);

/// The MLP of a block: f(x·W_in + b_in)·W_out + b_out; or gated (SwiGLU and GEGLU of Shazeer 2020, no biases):
/// (f(x·W_gate) ⊙ x·W_in)·W_out, where f is SiLU or tanh-approximated GELU. Maps x [batch, pos, d_model] to the same
/// shape. Names under `prefix` ("blocks.0.mlp"): hook_pre (before the nonlinearity), hook_post (what W_out reads); if
/// gated, hook_gate (after f) and hook_pre_linear.
Node feed_forward(BuildContext& a, const std::string& prefix, Node x);

/// A recurrent layer, for comparison with attention: an Elman network (tanh) or a GRU, depending on config.family, in
/// PyTorch's formulation. Maps x [batch, pos, d_model] to the states, in the same shape. Parameters under `prefix`
/// ("blocks.0.rnn"): W_ih, b_ih (for the input), W_hh, b_hh (for the previous state); a GRU's three gates r, z, n are
/// side by side in [d_model, 3·d_model]. Names: hook_pre (the input's part), hook_state and, for a GRU, hook_gates.
Node recurrent(BuildContext& a, const std::string& prefix, Node x);

/// The inputs of one attention.
struct AttentionInputs {
    Node x;         // queries come from it [batch, query, d_model]
    Node memory;    // keys and values come from it [batch, key, d_model]; x itself for self-attention
    Node key_mask;  // [batch, key]: 1 for a word, 0 for padding
    bool causal = false;
};

/// Multi-head attention: softmax(q·kᵀ/√d_head)·v per head, then W_O (Vaswani et al. 2017), with the options of
/// config.attention. Returns [batch, query, d_model]. Names under `prefix` ("blocks.0.attn", "blocks.0.cross_attn"):
/// hook_q|k|v (with one key-value head per query head, copied from k_groups and v_groups if a group shares them),
/// q_norm and k_norm, hook_rot_q|rot_k (RoPE), hook_attn_scores_raw, hook_attn_scores_scaled, hook_attn_scores_alibi,
/// hook_attn_scores_causal, hook_attn_scores_window, hook_attn_scores, hook_pattern, hook_z, hook_result. The name of a
/// stage that is switched off stands for the value that passes through.
Node attention(BuildContext& a, const std::string& prefix, const AttentionInputs& in);

/// What a block reads besides its own stream.
struct BlockInputs {
    Node key_mask;     // of its own sentence
    Node memory;       // in the decoder of a translation model: the encoder's last stream; else no node
    Node memory_mask;  // of the source sentence
    bool causal = false;
};

/// One block `name` ("blocks.0") on the residual stream [batch, pos, d_model]: attention (followed by cross-attention
/// if there is a memory) and MLP, or a recurrent layer; each with norm and residual add as placed by config. Names
/// under the block: hook_attn_out, hook_resid_mid, hook_cross_attn_out, hook_resid_mid_cross, hook_mlp_out,
/// hook_rnn_out, hook_resid_post; norms ln1, ln_cross, ln2, and after their part ln1_post, ln_cross_post, ln2_post.
Node block(BuildContext& a, const std::string& name, Node stream, const BlockInputs& in);

}  // namespace glassformer::nn
