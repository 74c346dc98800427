#pragma once

#include <string>

#include "core/nn/attention.h"

namespace glassformer::nn {

/// What a block sees besides its own stream.
struct BlockInputs {
    Node key_mask;     // of its own sentence
    Node memory;       // decoder of a translation: the encoder's last stream; else no node
    Node memory_mask;  // of the source sentence
    bool causal = false;
};

/// One block `name` ("blocks.0") on the residual stream [batch, pos, d_model]: attention (with cross-attention after it
/// where there is a memory) and MLP, or a recurrent layer; each with norm and residual add as config places them. Names
/// under the block: hook_attn_out, hook_resid_mid, hook_cross_attn_out, hook_resid_mid_cross, hook_mlp_out,
/// hook_rnn_out, hook_resid_post; norms ln1, ln_cross, ln2, and after their part
/// ln1_post, ln_cross_post, ln2_post.
Node block(BuildContext& a, const std::string& name, Node stream, const BlockInputs& in);

}  // namespace glassformer::nn
