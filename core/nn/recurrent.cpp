#include "core/nn/recurrent.h"

#include "core/ops/ops.h"

namespace glassformer::nn {

Node recurrent(BuildContext& a, const std::string& prefix, Node x) {
    Graph& g = a.graph;
    const bool gru = a.config.family == Family::gru;
    const std::int64_t d = x.shape().back(), width = gru ? 3 * d : d;
    const Node pre = linear(a, prefix, "ih", x, width, true).named(prefix + ".hook_pre");
    const Node w = g.parameter(prefix + ".W_hh", {d, width}, {0.0f, a.config.init_std});
    const Node b = g.parameter(prefix + ".b_hh", {width}, {});
    const Node state =
        g.apply(gru ? ops::recurrent_gru() : ops::recurrent_tanh(), {pre, w, b}).named(prefix + ".hook_state");
    // Off the path to the loss, as hook_result is.
    if (gru) g.apply(ops::gru_gates(), {pre, state, w, b}).named(prefix + ".hook_gates");
    return state;
}

}  // namespace glassformer::nn
