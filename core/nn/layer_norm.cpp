#include "core/nn/layer_norm.h"

#include "core/ops/ops.h"

namespace glassformer::nn {

Node layer_norm(const std::string& prefix, Node x, float epsilon) {
    Graph& g = *x.graph;
    const Shape width{x.shape().back()};
    const Node gamma = g.parameter(prefix + ".w", width, {1.0f, 0.0f});
    const Node beta = g.parameter(prefix + ".b", width, {});
    const Node mean = g.apply(ops::layer_norm_mean(), {x}).named(prefix + ".hook_mean");
    const Node scale = g.apply(ops::layer_norm_scale(epsilon), {x, mean}).named(prefix + ".hook_scale");
    const Node normalized = g.apply(ops::layer_norm_normalize(), {x, mean, scale}).named(prefix + ".hook_normalized");
    return g.apply(ops::layer_norm_affine(), {normalized, gamma, beta}).named(prefix + ".hook_out");
}

}  // namespace glassformer::nn
