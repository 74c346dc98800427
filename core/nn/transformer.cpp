#include "core/nn/transformer.h"

#include "core/base/error.h"
#include "core/nn/attention.h"
#include "core/nn/feed_forward.h"
#include "core/nn/layer_norm.h"
#include "core/ops/ops.h"

namespace glassformer {

namespace {

Node block(const std::string& name, Node resid_pre, Node key_mask, const TransformerConfig& c) {
    Graph& g = *resid_pre.graph;
    const Node attn_out =
        nn::attention(name, nn::layer_norm(name + ".ln1", resid_pre, c.layer_norm_epsilon), key_mask, c);
    const Node resid_mid = g.apply(ops::add(), {resid_pre, attn_out}).named(name + ".hook_resid_mid");
    const Node mlp_out = nn::feed_forward(name, nn::layer_norm(name + ".ln2", resid_mid, c.layer_norm_epsilon), c);
    return g.apply(ops::add(), {resid_mid, mlp_out}).named(name + ".hook_resid_post");
}

}  // namespace

std::string stream_name(int blocks) {
    return blocks == 0 ? "blocks.0.hook_resid_pre" : "blocks." + std::to_string(blocks - 1) + ".hook_resid_post";
}

TransformerGraph build_transformer(const TransformerConfig& c, const BatchShape& shape) {
    const auto [batch, positions, source_positions] = shape;
    validate(c);
    if (positions < 1 || positions > c.n_ctx)
        throw Error("the sentence has " + std::to_string(positions) + " tokens; this model reads 1 to " +
                    std::to_string(c.n_ctx));
    auto graph = std::make_shared<Graph>();
    Graph& g = *graph;
    const Shape tokens_shape{batch, positions};
    const Node tokens = g.input("tokens", tokens_shape), key_mask = g.input("key_mask", tokens_shape);
    const Node targets = g.input("targets", tokens_shape), loss_weights = g.input("loss_weights", tokens_shape);
    const Node w_e = g.parameter("embed.W_E", {c.d_vocab, c.d_model}, {0.0f, c.init_std});
    const Node w_pos = g.parameter("pos_embed.W_pos", {c.n_ctx, c.d_model}, {0.0f, c.init_std});

    const Node embedding = g.apply(ops::embed(), {tokens, w_e}).named("hook_embed");
    const Node position = g.apply(ops::pos_embed(positions), {w_pos}).named("hook_pos_embed");
    Node stream = g.apply(ops::add(), {embedding, position}).named(stream_name(0));
    for (int layer = 0; layer < c.n_layers; ++layer) {
        const std::string name = "blocks." + std::to_string(layer);
        if (layer > 0) g.alias(stream.id, name + ".hook_resid_pre");
        stream = block(name, stream, key_mask, c);
    }

    const Node final_norm = nn::layer_norm("ln_final", stream, c.layer_norm_epsilon);
    const Node logits = g.apply(ops::matmul_transposed(), {final_norm, w_e}).named("logits");
    const Node probabilities = g.apply(ops::softmax(), {logits}).named("probabilities");
    const Node loss = g.apply(ops::cross_entropy(), {logits, targets, loss_weights}).named("loss");
    TransformerGraph model;
    model.graph = graph;
    model.config = c;
    model.batch = batch;
    model.positions = positions;
    model.source_positions = source_positions;
    model.tokens = tokens.id;
    model.key_mask = key_mask.id;
    model.targets = targets.id;
    model.loss_weights = loss_weights.id;
    model.logits = logits.id;
    model.probabilities = probabilities.id;
    model.loss = loss.id;
    return model;
}

}  // namespace glassformer
