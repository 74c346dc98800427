#pragma once

#include <string>

#include "core/graph/graph.h"

namespace glassformer::nn {

/// y = γ·(x − μ)/√(σ² + ε) + β for every position on its own (Ba et al. 2016).
/// Names under `prefix`: hook_mean [pos], hook_scale [pos] (√(σ² + ε)), hook_normalized [pos, d_model] (before γ and
/// β), hook_out [pos, d_model]; parameters w (γ) and b (β).
Node layer_norm(const std::string& prefix, Node x, float epsilon);

}  // namespace glassformer::nn
