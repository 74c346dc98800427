#pragma once

#include <string>

#include "core/nn/build_context.h"

namespace glassformer::nn {

/// A recurrent layer, for the comparison with attention: Elman's (tanh) or a GRU, by config.family, as PyTorch writes
/// them. x [batch, pos, d_model] → the states, the same shape. Parameters under `prefix` ("blocks.0.rnn"): W_ih, b_ih
/// (of the input), W_hh, b_hh (of the state before); GRU's three gates r, z, n lie side by side in [d_model,
/// 3·d_model]. Names: hook_pre (the input's part), hook_state, and for a GRU hook_gates.
Node recurrent(BuildContext& a, const std::string& prefix, Node x);

}  // namespace glassformer::nn
