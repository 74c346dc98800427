#pragma once

#include <string>

#include "core/nn/build_context.h"

namespace glassformer::nn {

/// The MLP of a block: f(x·W_in + b_in)·W_out + b_out, or gated (SwiGLU and GEGLU of Shazeer 2020, no
/// biases) (f(x·W_gate) ⊙ x·W_in)·W_out with f silu or GELU by tanh. x [batch, pos, d_model] → the same. Names under
/// `prefix` ("blocks.0.mlp"): hook_pre (before the non-linearity), hook_post (what W_out reads), where it is gated
/// hook_gate (after f) and hook_pre_linear.
Node feed_forward(BuildContext& a, const std::string& prefix, Node x);

}  // namespace glassformer::nn
