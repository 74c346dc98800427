#include <functional>

#include "core/nn/layers.h"
#include "core/ops/ops.h"

namespace glassformer::nn {

namespace {

/// One step along the residual stream, with the names of its parts.
struct Step {
    std::string norm;  // "ln1"
    std::string out;   // "hook_attn_out": what f adds
    std::string then;  // "hook_resid_mid": the stream after it
    std::function<Node(Node)> f;
    bool adds = true;  // if the model has residual connections
};

/// pre: x + f(norm(x)); post: norm(x + f(x)); stream_first: x̄ + f(x̄), x̄ = norm(x); pre_and_post: x +
/// norm(f(norm(x))); none: x + f(x). Without residual connections only f's term remains.
Node residual_branch(BuildContext& a, const std::string& block, Node x, Node key_mask, const Step& step) {
    const TransformerConfig& c = a.config;
    const NormPlacement place = c.norm_placement;
    const bool adds = c.residual && step.adds;
    const bool before =
        place == NormPlacement::pre || place == NormPlacement::stream_first || place == NormPlacement::pre_and_post;
    const Node read = before ? norm(a, block + "." + step.norm, x, key_mask) : x;
    const Node part = step.f(read).named(block + "." + step.out);
    const Node finished =
        place == NormPlacement::pre_and_post ? norm(a, block + "." + step.norm + "_post", part, key_mask) : part;
    const Node added = dropout(a, block + "." + step.out + "_dropout", finished);
    Node stream = added;
    if (adds) {
        stream = a.graph.apply(ops::add(), {place == NormPlacement::stream_first ? read : x, added});
        stream.named(block + "." + step.then + (place == NormPlacement::post ? "_sum" : ""));
    }
    if (place == NormPlacement::post) stream = norm(a, block + "." + step.norm, stream, key_mask);
    if (!adds || place == NormPlacement::post) a.graph.alias(stream.id, block + "." + step.then);
    return stream;
}

Node recurrent_block(BuildContext& a, const std::string& name, Node stream, Node key_mask) {
    return residual_branch(a, name, stream, key_mask, {"ln1", "hook_rnn_out", "hook_resid_post", [&](Node x) {
                                                           const Node states = recurrent(a, name + ".rnn", x);
                                                           // The states keep their own name; what is added to the
                                                           // stream has another.
                                                           return a.graph.apply(ops::reshape(states.shape()), {states});
                                                       }});
}

/// x + attention(norm(x)) + MLP(norm(x)), each with its own norm: neither reads what the other adds.
Node parallel_block(BuildContext& a, const std::string& name, Node x, const BlockInputs& in) {
    const auto read = [&](const char* which) {
        return a.config.norm_placement == NormPlacement::pre ? norm(a, name + "." + which, x, in.key_mask) : x;
    };
    const auto branch = [&](const std::string& out, Node value) {
        return dropout(a, name + "." + out + "_dropout", value.named(name + "." + out));
    };
    const Node for_attention = read("ln1");
    const Node attended =
        branch("hook_attn_out", attention(a, name + ".attn", {for_attention, for_attention, in.key_mask, in.causal}));
    const Node of_mlp = branch("hook_mlp_out", feed_forward(a, name + ".mlp", read("ln2")));
    if (!a.config.residual) return a.graph.apply(ops::add(), {attended, of_mlp}).named(name + ".hook_resid_post");
    const Node mid = a.graph.apply(ops::add(), {x, attended}).named(name + ".hook_resid_mid");
    return a.graph.apply(ops::add(), {mid, of_mlp}).named(name + ".hook_resid_post");
}

}  // namespace

Node block(BuildContext& a, const std::string& name, Node stream, const BlockInputs& in) {
    const TransformerConfig& c = a.config;
    if (c.recurrent()) return recurrent_block(a, name, stream, in.key_mask);
    if (c.parallel) return parallel_block(a, name, stream, in);
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
    return residual_branch(a, name, stream, in.key_mask,
                           {"ln2", "hook_mlp_out", "hook_resid_post",
                            [&](Node x) { return feed_forward(a, name + ".mlp", x); }, c.mlp_residual});
}

}  // namespace glassformer::nn
