#include "core/nn/build_context.h"

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

}  // namespace glassformer::nn
