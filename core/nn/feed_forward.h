#pragma once

#include <string>

#include "core/graph/graph.h"
#include "core/nn/config.h"

namespace glassformer::nn {

/// gelu(x·W_in + b_in)·W_out + b_out for every position on its own.
/// Names: block + ".mlp.hook_pre", ".mlp.hook_post" [pos, d_mlp], block + ".hook_mlp_out" [pos, d_model].
Node feed_forward(const std::string& block, Node x, const TransformerConfig& config);

}  // namespace glassformer::nn
