#pragma once

#include <string>

#include "core/nn/build_context.h"

namespace glassformer::nn {

/// The model's kind of normalization of x [batch, pos, d_model], stage by stage, each a node under `prefix`
/// ("blocks.0.ln1"); parameters prefix.w (γ) and prefix.b (β).
/// LayerNorm (Ba et al. 2016) hook_mean, hook_scale; RMSNorm (Zhang & Sennrich 2019, no β) hook_scale; batch
/// normalization (Ioffe & Szegedy 2015) hook_batch_mean, hook_batch_variance, and prefix.running_mean and
/// prefix.running_var: parameters that no gradient reaches, which the trainer keeps (see running_statistics.h). All of
/// them: hook_normalized (before γ and β) and hook_out. `key_mask` [batch, pos] tells words from padding, for the
/// batch's statistics.
Node norm(BuildContext& a, const std::string& prefix, Node x, Node key_mask);

}  // namespace glassformer::nn
