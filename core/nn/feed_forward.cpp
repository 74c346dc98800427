#include "core/nn/feed_forward.h"

#include "core/ops/ops.h"

namespace glassformer::nn {

Node feed_forward(const std::string& block, Node x, const TransformerConfig& c) {
    Graph& g = *x.graph;
    const std::string mlp = block + ".mlp";
    const Node w_in = g.parameter(mlp + ".W_in", {c.d_model, c.d_mlp}, {0.0f, c.init_std});
    const Node b_in = g.parameter(mlp + ".b_in", {c.d_mlp}, {});
    const Node w_out = g.parameter(mlp + ".W_out", {c.d_mlp, c.d_model}, {0.0f, c.init_std});
    const Node b_out = g.parameter(mlp + ".b_out", {c.d_model}, {});
    const Node pre = g.apply(ops::linear(), {x, w_in, b_in}).named(mlp + ".hook_pre");
    const Node post = g.apply(ops::gelu(), {pre}).named(mlp + ".hook_post");
    return g.apply(ops::linear(), {post, w_out, b_out}).named(block + ".hook_mlp_out");
}

}  // namespace glassformer::nn
