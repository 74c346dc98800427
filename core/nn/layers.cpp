#include "core/nn/layers.h"

#include "core/ops/ops.h"

namespace glassformer::nn {

Node training_state(BuildContext& a) {
    if (a.state.id < 0) a.state = a.graph.input("training_state", {3});
    return a.state;
}

Node linear(BuildContext& a, const std::string& prefix, const std::string& name, Node x, std::int64_t d_out,
            bool bias) {
    const Node w = a.graph.parameter(prefix + ".W_" + name, {x.shape().back(), d_out}, {0.0f, a.config.init_std});
    if (!bias) return a.graph.apply(ops::linear(), {x, w});
    const Node b = a.graph.parameter(prefix + ".b_" + name, {d_out}, {});
    return a.graph.apply(ops::linear(), {x, w, b});
}

Node dropout(BuildContext& a, const std::string& name, Node x) {
    if (!(a.config.dropout > 0.0f)) return x;
    return a.graph.apply(ops::dropout(a.config.dropout, a.n_dropouts++), {x, training_state(a)}).named(name);
}

namespace {

Node layer_norm(BuildContext& a, const std::string& prefix, Node x) {
    Graph& g = a.graph;
    const Node mean = g.apply(ops::layer_norm_mean(), {x}).named(prefix + ".hook_mean");
    const Node scale = g.apply(ops::layer_norm_scale(a.config.norm_epsilon), {x, mean}).named(prefix + ".hook_scale");
    return g.apply(ops::layer_norm_normalize(), {x, mean, scale});
}

Node rms_norm(BuildContext& a, const std::string& prefix, Node x) {
    const Node scale = a.graph.apply(ops::rms_norm_scale(a.config.norm_epsilon), {x}).named(prefix + ".hook_scale");
    return a.graph.apply(ops::rms_norm_normalize(), {x, scale});
}

Node batch_norm(BuildContext& a, const std::string& prefix, Node x, Node key_mask) {
    Graph& g = a.graph;
    const Shape width{x.shape().back()};
    const Node running_mean = g.parameter(prefix + ".running_mean", width, {});
    const Node running_var = g.parameter(prefix + ".running_var", width, {1.0f, 0.0f});
    const Node state = training_state(a);
    const Node of_batch = g.apply(ops::batch_norm_mean(), {x, key_mask}).named(prefix + ".hook_batch_mean");
    const Node variance =
        g.apply(ops::batch_norm_variance(), {x, key_mask, of_batch}).named(prefix + ".hook_batch_variance");
    const Node mean = g.apply(ops::batch_norm_choose(), {of_batch, running_mean, state}).named(prefix + ".hook_mean");
    const Node var = g.apply(ops::batch_norm_choose(), {variance, running_var, state}).named(prefix + ".hook_variance");
    return g.apply(ops::batch_norm_normalize(a.config.norm_epsilon), {x, key_mask, mean, var, state});
}

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

Node norm(BuildContext& a, const std::string& prefix, Node x, Node key_mask) {
    Graph& g = a.graph;
    const NormKind kind = a.config.norm;
    const Shape width{a.config.norm_scalar ? 1 : x.shape().back()};
    const Node gamma = g.parameter(prefix + ".w", width, {1.0f, 0.0f});
    const Node beta = kind == NormKind::rms_norm ? Node{} : g.parameter(prefix + ".b", width, {});
    Node normalized = kind == NormKind::layer_norm ? layer_norm(a, prefix, x)
                      : kind == NormKind::rms_norm ? rms_norm(a, prefix, x)
                                                   : batch_norm(a, prefix, x, key_mask);
    normalized.named(prefix + ".hook_normalized");
    const Node out = beta.id < 0 ? g.apply(ops::norm_affine(), {normalized, gamma})
                                 : g.apply(ops::norm_affine(), {normalized, gamma, beta});
    return out.named(prefix + ".hook_out");
}

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

Node recurrent(BuildContext& a, const std::string& prefix, Node x) {
    Graph& g = a.graph;
    const bool gru = a.config.family == Family::gru;
    const std::int64_t d = x.shape().back(), width = gru ? 3 * d : d;
    const Node pre = linear(a, prefix, "ih", x, width, true).named(prefix + ".hook_pre");
    const Node w = g.parameter(prefix + ".W_hh", {d, width}, {0.0f, a.config.init_std});
    const Node b = g.parameter(prefix + ".b_hh", {width}, {});
    const Node state =
        g.apply(gru ? ops::recurrent_gru() : ops::recurrent_tanh(), {pre, w, b}).named(prefix + ".hook_state");
    // Off the path to the loss, like hook_result.
    if (gru) g.apply(ops::gru_gates(), {pre, state, w, b}).named(prefix + ".hook_gates");
    return state;
}

}  // namespace glassformer::nn
