#include "core/nn/feed_forward.h"

#include "core/ops/ops.h"

namespace glassformer::nn {

namespace {

OpPtr activation(Activation kind) {
    if (kind == Activation::relu) return ops::relu();
    return kind == Activation::gelu_tanh ? ops::gelu_tanh() : ops::gelu();
}

Node gated(BuildContext& a, const std::string& prefix, Node x) {
    const OpPtr f = a.config.activation == Activation::swiglu ? ops::silu() : ops::gelu_tanh();
    const Node pre = linear(a, prefix, "gate", x, a.config.d_mlp, false).named(prefix + ".hook_pre");
    const Node straight = linear(a, prefix, "in", x, a.config.d_mlp, false).named(prefix + ".hook_pre_linear");
    const Node gate = a.graph.apply(f, {pre}).named(prefix + ".hook_gate");
    const Node post = a.graph.apply(ops::multiply(), {gate, straight}).named(prefix + ".hook_post");
    return linear(a, prefix, "out", post, x.shape().back(), false);
}

}  // namespace

Node feed_forward(BuildContext& a, const std::string& prefix, Node x) {
    if (a.config.activation == Activation::swiglu || a.config.activation == Activation::geglu_tanh)
        return gated(a, prefix, x);
    const Node w_in =
        a.graph.parameter(prefix + ".W_in", {x.shape().back(), a.config.d_mlp}, {0.0f, a.config.init_std});
    const Node b_in = a.graph.parameter(prefix + ".b_in", {a.config.d_mlp}, {});
    const Node w_out =
        a.graph.parameter(prefix + ".W_out", {a.config.d_mlp, x.shape().back()}, {0.0f, a.config.init_std});
    const Node b_out = a.graph.parameter(prefix + ".b_out", {x.shape().back()}, {});
    const Node pre = a.graph.apply(ops::linear(), {x, w_in, b_in}).named(prefix + ".hook_pre");
    const Node post = a.graph.apply(activation(a.config.activation), {pre}).named(prefix + ".hook_post");
    return a.graph.apply(ops::linear(), {post, w_out, b_out});
}

}  // namespace glassformer::nn
