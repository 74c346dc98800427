#include "core/nn/attention.h"

#include <cmath>

#include "core/ops/ops.h"

namespace glassformer::nn {

namespace {

/// x·W + b with fresh parameters prefix.W_name [d_in, d_out] and prefix.b_name [d_out].
Node projection(const std::string& prefix, const std::string& name, Node x, std::int64_t d_out, float std) {
    Graph& g = *x.graph;
    const Node w = g.parameter(prefix + ".W_" + name, {x.shape().back(), d_out}, {0.0f, std});
    const Node b = g.parameter(prefix + ".b_" + name, {d_out}, {});
    return g.apply(ops::linear(), {x, w, b});
}

/// [batch, pos, d_model] → [batch, pos, head, d_head]; the memory is the same.
Node split_heads(Node x, int n_heads) {
    const Shape& s = x.shape();
    return x.graph->apply(ops::reshape({s[0], s[1], n_heads, s[2] / n_heads}), {x});
}

Node merge_heads(Node z) {
    const Shape& s = z.shape();
    return z.graph->apply(ops::reshape({s[0], s[1], s[2] * s[3]}), {z});
}

}  // namespace

Node attention(const std::string& block, Node x, Node key_mask, const TransformerConfig& c) {
    Graph& g = *x.graph;
    const std::string attn = block + ".attn";
    const auto head_input = [&](const std::string& name, const std::string& hook) {
        const Node flat = projection(attn, name, x, c.d_model, c.init_std).named(attn + "." + hook + "_merged");
        return split_heads(flat, c.n_heads).named(attn + ".hook_" + hook);
    };
    const Node q = head_input("Q", "q"), k = head_input("K", "k"), v = head_input("V", "v");
    const float factor = 1.0f / std::sqrt(static_cast<float>(c.d_head()));
    const Node raw = g.apply(ops::attention_scores(), {q, k}).named(attn + ".hook_attn_scores_raw");
    const Node scaled = g.apply(ops::scale(factor), {raw}).named(attn + ".hook_attn_scores_scaled");
    const Node scores = g.apply(ops::mask(), {scaled, key_mask}).named(attn + ".hook_attn_scores");
    const Node pattern = g.apply(ops::softmax(), {scores}).named(attn + ".hook_pattern");
    const Node z = g.apply(ops::attention_mix(), {pattern, v}).named(attn + ".hook_z");
    const Node merged = merge_heads(z).named(attn + ".z_merged");
    const Node out = projection(attn, "O", merged, c.d_model, c.init_std).named(block + ".hook_attn_out");
    // Off the path to the loss: what each head writes, run only when a trace asks for it.
    const Node w_o{&g, g.at(attn + ".W_O")};
    g.apply(ops::head_result(), {z, w_o}).named(attn + ".hook_result");
    return out;
}

}  // namespace glassformer::nn
