#include "core/nn/block.h"

#include <functional>

#include "core/nn/feed_forward.h"
#include "core/nn/norm.h"
#include "core/nn/recurrent.h"
#include "core/ops/ops.h"

namespace glassformer::nn {

namespace {

/// One step along the residual stream, and what its parts are called.
struct Step {
    std::string norm;  // "ln1"
    std::string out;   // "hook_attn_out": what f adds
    std::string then;  // "hook_resid_mid": the stream afterwards
    std::function<Node(Node)> f;
};

/// pre: x + f(norm(x)); post: norm(x + f(x)); stream_first: x̄ + f(x̄), x̄ = norm(x); none: x + f(x). Without residual
/// only f's part remains.
Node residual_branch(Assembly& a, const std::string& block, Node x, Node key_mask, const Step& step) {
    const TransformerConfig& c = a.config;
    const NormPlacement place = c.norm_placement;
    const bool before = place == NormPlacement::pre || place == NormPlacement::stream_first;
    const Node read = before ? norm(a, block + "." + step.norm, x, key_mask) : x;
    const Node added = dropout(a, block + "." + step.out + "_dropout", step.f(read).named(block + "." + step.out));
    Node stream = added;
    if (c.residual) {
        stream = a.graph.apply(ops::add(), {place == NormPlacement::stream_first ? read : x, added});
        stream.named(block + "." + step.then + (place == NormPlacement::post ? "_sum" : ""));
    }
    if (place == NormPlacement::post) stream = norm(a, block + "." + step.norm, stream, key_mask);
    if (!c.residual || place == NormPlacement::post) a.graph.alias(stream.id, block + "." + step.then);
    return stream;
}

Node recurrent_block(Assembly& a, const std::string& name, Node stream, Node key_mask) {
    return residual_branch(a, name, stream, key_mask, {"ln1", "hook_rnn_out", "hook_resid_post", [&](Node x) {
                                                           const Node states = recurrent(a, name + ".rnn", x);
                                                           // The states keep their own name; what is added to the
                                                           // stream has another.
                                                           return a.graph.apply(ops::reshape(states.shape()), {states});
                                                       }});
}

}  // namespace

Node block(Assembly& a, const std::string& name, Node stream, const BlockInputs& in) {
    const TransformerConfig& c = a.config;
    if (c.recurrent()) return recurrent_block(a, name, stream, in.key_mask);
    const bool crosses = in.memory.id >= 0, has_mlp = c.activation != Activation::none;
    stream = residual_branch(
        a, name, stream, in.key_mask,
        {"ln1", "hook_attn_out", has_mlp || crosses ? "hook_resid_mid" : "hook_resid_post", [&](Node x) {
             return attention(a, name + ".attn", {x, x, in.key_mask, in.causal});
         }});
    if (crosses)
        stream = residual_branch(
            a, name, stream, in.key_mask,
            {"ln_cross", "hook_cross_attn_out", has_mlp ? "hook_resid_mid_cross" : "hook_resid_post", [&](Node x) {
                 return attention(a, name + ".cross_attn", {x, in.memory, in.memory_mask, false});
             }});
    if (!has_mlp) return stream;
    return residual_branch(a, name, stream, in.key_mask, {"ln2", "hook_mlp_out", "hook_resid_post", [&](Node x) {
                                                              return feed_forward(a, name + ".mlp", x);
                                                          }});
}

}  // namespace glassformer::nn
