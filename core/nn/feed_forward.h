#pragma once

#include <string>

#include "core/nn/assembly.h"

namespace glassformer::nn {

/// The MLP of a block: f(x·W_in + b_in)·W_out + b_out, or with SwiGLU (Shazeer 2020, no biases)
/// (silu(x·W_gate) ⊙ x·W_in)·W_out. x [batch, pos, d_model] → the same. Names under `prefix` ("blocks.0.mlp"): hook_pre
/// (before the non-linearity), hook_post (what W_out reads), with SwiGLU hook_gate (after silu) and hook_pre_linear.
Node feed_forward(Assembly& a, const std::string& prefix, Node x);

}  // namespace glassformer::nn
