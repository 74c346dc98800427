#include <cmath>

#include "core/graph/hook_names.h"
#include "core/nn/layers.h"
#include "core/ops/ops.h"

namespace glassformer::nn {

namespace {

struct Roles {
    Node q, k, v;  // [batch, pos, head, d_head or d_value]
};

/// [batch, pos, width] → [batch, pos, head, width / head]; shares the memory.
Node split_heads(Node x, int n_heads) {
    const Shape& s = x.shape();
    return x.graph->apply(ops::reshape({s[0], s[1], n_heads, s[2] / n_heads}), {x});
}

Node merge_heads(Node z) {
    const Shape& s = z.shape();
    return z.graph->apply(ops::reshape({s[0], s[1], s[2] * s[3]}), {z});
}

Roles separate_roles(BuildContext& a, const std::string& prefix, const AttentionInputs& in) {
    const TransformerConfig& c = a.config;
    const auto own = [&](const std::string& name, const std::string& hook, Node from, int width) {
        const Node flat = linear(a, prefix, name, from, std::int64_t{c.n_heads} * width, c.attention.biases)
                              .named(prefix + "." + hook + "_merged");
        return split_heads(flat, c.n_heads).named(prefix + ".hook_" + hook);
    };
    // A few heads, each copied for all query heads of its group: the hook has one head per query head.
    const auto shared = [&](const std::string& name, const std::string& hook, int width) {
        const int heads = c.n_key_value_heads();
        const Node flat = linear(a, prefix, name, in.memory, std::int64_t{heads} * width, c.attention.biases)
                              .named(prefix + "." + hook + "_shared");
        const Node split = split_heads(flat, heads).named(prefix + "." + hook + "_groups");
        return a.graph.apply(ops::repeat_heads(c.n_heads / heads), {split}).named(prefix + ".hook_" + hook);
    };
    const bool grouped = c.n_key_value_heads() < c.n_heads;
    const Node q = own("Q", "q", in.x, c.d_head());
    const Node k = grouped ? shared("K", "k", c.d_head()) : own("K", "k", in.memory, c.d_head());
    return {q, k, grouped ? shared("V", "v", c.d_value()) : own("V", "v", in.memory, c.d_value())};
}

/// One value plays several roles: it has the name of the first, and those of the others as aliases.
Roles same_for_all(BuildContext& a, const std::string& prefix, Node q, Node memory) {
    q.named(prefix + ".hook_q");
    if (memory.id == q.id)
        a.graph.alias(q.id, prefix + ".hook_k");
    else
        memory.named(prefix + ".hook_k");
    a.graph.alias(memory.id, prefix + ".hook_v");
    return {q, memory, memory};
}

Roles shared_roles(BuildContext& a, const std::string& prefix, const AttentionInputs& in) {
    const TransformerConfig& c = a.config;
    const Node flat =
        linear(a, prefix, "QKV", in.x, std::int64_t{c.n_heads} * c.d_head(), c.attention.biases).named(prefix + ".qkv");
    const Node q = split_heads(flat, c.n_heads);
    if (in.memory.id == in.x.id) return same_for_all(a, prefix, q, q);
    const Node w{&a.graph, a.graph.at(prefix + ".W_QKV")};
    const Node of_memory =
        c.attention.biases ? a.graph.apply(ops::linear(), {in.memory, w, Node{&a.graph, a.graph.at(prefix + ".b_QKV")}})
                           : a.graph.apply(ops::linear(), {in.memory, w});
    return same_for_all(a, prefix, q, split_heads(of_memory.named(prefix + ".qkv_memory"), c.n_heads));
}

Roles make_roles(BuildContext& a, const std::string& prefix, const AttentionInputs& in) {
    if (a.config.attention.projections == Projections::separate) return separate_roles(a, prefix, in);
    if (a.config.attention.projections == Projections::shared) return shared_roles(a, prefix, in);
    const Node q = split_heads(in.x, a.config.n_heads);
    return same_for_all(a, prefix, q, in.memory.id == in.x.id ? q : split_heads(in.memory, a.config.n_heads));
}

/// The keys (or values) of all words so far: the input prefix.name_cache with the new word's row written into it.
Node with_kept(BuildContext& a, const std::string& prefix, const std::string& name, Node row) {
    const Node kept =
        a.graph.input(prefix + "." + name + "_cache", {1, a.cache->capacity, row.shape()[2], row.shape()[3]});
    return a.graph.apply(ops::cache_row(), {kept, row, a.cache->position}).named(prefix + "." + name + "_kept");
}

/// Applies the stages that this model has, one after another, and names each as it is added.
class ScoreChain {
public:
    ScoreChain(Graph& graph, std::string prefix, Node raw) : graph_(graph), prefix_(std::move(prefix)), last_(raw) {
        last_.named(prefix_ + "_raw");
    }

    void then(bool wanted, const std::string& suffix, const OpPtr& op, Node place = {}) {
        if (wanted)
            last_ =
                (place.id < 0 ? graph_.apply(op, {last_}) : graph_.apply(op, {last_, place})).named(prefix_ + suffix);
        else if (suffix == "_scaled")
            graph_.alias(last_.id, prefix_ + suffix);
    }

    /// The last stage has the plain name.
    Node finish(bool wanted, Node key_mask) {
        if (wanted) return graph_.apply(ops::mask(), {last_, key_mask}).named(prefix_);
        graph_.alias(last_.id, prefix_);
        return last_;
    }

private:
    Graph& graph_;
    std::string prefix_;
    Node last_;
};

/// Normalizes and rotates queries and keys before they are multiplied, if the model does so.
void prepare_to_meet(BuildContext& a, const std::string& prefix, Roles& roles, bool itself) {
    const TransformerConfig& c = a.config;
    Graph& g = a.graph;
    if (c.attention.qk_norm) {
        roles.q = norm(a, prefix + ".q_norm", roles.q, {});
        roles.k = norm(a, prefix + ".k_norm", roles.k, {});
    }
    if (c.positions != Positions::rotary || !itself) return;
    const std::int64_t dims = c.rotary_dims() < c.d_head() ? c.rotary_dims() : 0;
    const OpPtr op = ops::rotary(c.rotary_of(node_place(prefix).block), dims, a.cache ? a.cache->capacity : 0);
    const auto turned = [&](Node x) { return a.cache ? g.apply(op, {x, a.cache->position}) : g.apply(op, {x}); };
    const bool one = roles.k.id == roles.q.id;
    roles.q = turned(roles.q).named(prefix + ".hook_rot_q");
    if (one)
        g.alias((roles.k = roles.q).id, prefix + ".hook_rot_k");
    else
        roles.k = turned(roles.k).named(prefix + ".hook_rot_k");
}

Node pattern_of(BuildContext& a, const std::string& prefix, const Roles& roles, const AttentionInputs& in) {
    const TransformerConfig& c = a.config;
    Graph& g = a.graph;
    const bool itself = in.memory.id == in.x.id;  // distances are meaningful only within one sentence
    const Node q = roles.q, k = roles.k;
    const int window = itself ? c.window_of(node_place(prefix).block) : 0;
    const auto width = static_cast<float>(c.attention.scale_width > 0 ? c.attention.scale_width : q.shape().back());
    const float factor = 1.0f / std::sqrt(width);
    ScoreChain chain(g, prefix + ".hook_attn_scores", g.apply(ops::attention_scores(), {q, k}));
    chain.then(c.attention.scale, "_scaled", ops::scale(factor));
    chain.then(c.positions == Positions::alibi && itself, "_alibi", ops::alibi(), a.cache ? a.cache->position : Node{});
    chain.then(in.causal && !a.cache, "_causal", ops::mask_causal());
    if (window > 0 && !a.cache) chain.then(true, "_window", ops::mask_window(window));
    const Node scores = a.cache ? chain.finish(true, window > 0 ? a.cache->window_mask : a.cache->valid_mask)
                                : chain.finish(c.attention.padding_mask, in.key_mask);
    return g.apply(c.attention.hard ? ops::hardmax() : ops::softmax(), {scores}).named(prefix + ".hook_pattern");
}

}  // namespace

Node attention(BuildContext& a, const std::string& prefix, const AttentionInputs& in) {
    Graph& g = a.graph;
    Roles roles = make_roles(a, prefix, in);
    prepare_to_meet(a, prefix, roles, in.memory.id == in.x.id);
    if (a.cache) {
        roles.k = with_kept(a, prefix, "k", roles.k);
        roles.v = with_kept(a, prefix, "v", roles.v);
    }
    const Node pattern = pattern_of(a, prefix, roles, in);
    const Node z = g.apply(ops::attention_values(), {pattern, roles.v}).named(prefix + ".hook_z");
    const Node merged = merge_heads(z).named(prefix + ".z_merged");
    if (a.config.attention.projections == Projections::none) return merged;
    const Node out = linear(a, prefix, "O", merged, in.x.shape().back(), a.config.output_bias());
    // Off the path to the loss: what each head writes, computed only if a trace asks for it.
    const Node w_o{&g, g.at(prefix + ".W_O")};
    g.apply(ops::head_result(), {z, w_o}).named(prefix + ".hook_result");
    return out;
}

}  // namespace glassformer::nn
