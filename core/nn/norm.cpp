#include "core/nn/norm.h"

#include "core/ops/ops.h"

namespace glassformer::nn {

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

}  // namespace glassformer::nn
