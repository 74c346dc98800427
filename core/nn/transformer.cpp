#include "core/nn/transformer.h"

#include "core/base/error.h"
#include "core/base/mark_text.h"
#include "core/nn/layers.h"
#include "core/ops/ops.h"

namespace glassformer {

namespace {

bool ends_normalized(const TransformerConfig& c) {
    return c.norm_placement == NormPlacement::pre || c.norm_placement == NormPlacement::stream_first ||
           c.norm_placement == NormPlacement::pre_and_post;
}

/// Declares a model's graph from its inputs to its loss.
class Builder {
public:
    Builder(const TransformerConfig& config, const BatchShape& shape)
        : c_(config), shape_(shape), graph_(std::make_shared<Graph>()), g_(*graph_), context_{g_, c_} {}

    TransformerGraph build();
    NextWordGraph build_next_word(std::int64_t capacity);

private:
    /// One side of the model: its prefix ("encoder." or empty), words and blocks.
    struct Side {
        std::string prefix;
        Node input, key_mask;
        int positions, n_layers;
        bool causal;
    };

    Node input(const std::string& name, const Shape& shape, int& id);
    void declare_inputs();
    void declare_targets();
    Node embedding(const Side& side);
    Node positions(const Side& side);
    Node start(const Side& side);
    Node run_blocks(const Side& side, Node stream, const nn::BlockInputs& in);
    Node source_memory();
    void pooler(Node stream);
    Node head_transform(Node stream);
    Node logits(Node stream);
    void finish(Node logits);

    const TransformerConfig& c_;
    BatchShape shape_;
    std::shared_ptr<Graph> graph_;
    Graph& g_;
    nn::BuildContext context_;
    TransformerGraph model_;
    Node tokens_, key_mask_, source_tokens_, source_key_mask_, targets_, loss_weights_;
    Node w_e_;  // embedding of the output words
};

Node Builder::input(const std::string& name, const Shape& shape, int& id) {
    const Node node = g_.input(name, shape);
    id = node.id;
    return node;
}

void Builder::declare_inputs() {
    const Shape words{shape_.batch, shape_.positions}, source{shape_.batch, shape_.source_positions};
    tokens_ = c_.input == InputKind::words
                  ? input("tokens", words, model_.tokens)
                  : input("values", {shape_.batch, shape_.positions, c_.d_input}, model_.values);
    key_mask_ = input("key_mask", words, model_.key_mask);
    if (c_.family != Family::encoder_decoder) return;
    source_tokens_ = input("source_tokens", source, model_.source_tokens);
    source_key_mask_ = input("source_key_mask", source, model_.source_key_mask);
}

void Builder::declare_targets() {
    const Shape each = c_.output == OutputKind::classes ? Shape{shape_.batch} : Shape{shape_.batch, shape_.positions};
    targets_ = c_.outputs_numbers()
                   ? input("target_values", {shape_.batch, shape_.positions, c_.d_output}, model_.target_values)
                   : input("targets", each, model_.targets);
    loss_weights_ = input("loss_weights", each, model_.loss_weights);
}

Node Builder::embedding(const Side& side) {
    const std::string embed = side.prefix + "embed";
    const bool source = !side.prefix.empty();
    if (c_.input == InputKind::values)
        return nn::linear(context_, embed, "E", side.input, c_.d_model, true).named(side.prefix + "hook_embed");
    const std::int64_t words = source ? c_.d_source_vocab : c_.d_vocab;
    const Node w = source && c_.d_source_vocab == 0
                       ? w_e_
                       : g_.parameter(embed + ".W_E", {words, c_.d_model}, {0.0f, c_.init_std});
    if (!source) w_e_ = w;
    const Node rows = g_.apply(ops::embed(), {side.input, w});
    if (c_.embedding_scale == 1.0f) return rows.named(side.prefix + "hook_embed");
    rows.named(side.prefix + "hook_embed_rows");
    return g_.apply(ops::scale(c_.embedding_scale), {rows}).named(side.prefix + "hook_embed");
}

// [pos, d_model] to add to the embedding; no node if order enters elsewhere or not at all.
Node Builder::positions(const Side& side) {
    const std::string name = side.prefix + "pos_embed.W_pos", hook = side.prefix + "hook_pos_embed";
    switch (c_.positions) {
        case Positions::learned: {
            const Node w = g_.parameter(name, {c_.n_ctx, c_.d_model}, {0.0f, c_.init_std});
            // One word at a time: looks up its position like the word itself.
            if (context_.cache)
                return g_.apply(ops::embed(), {g_.apply(ops::reshape({1, 1}), {context_.cache->position}), w})
                    .named(hook);
            return g_.apply(ops::pos_embed(side.positions), {w}).named(hook);
        }
        case Positions::index:
        case Positions::index_over_length: {
            const bool over_length = c_.positions == Positions::index_over_length;
            const Node w = g_.parameter(name, {1, c_.d_model}, {0.0f, c_.init_std});
            const Node index = g_.apply(ops::position_index(side.positions, over_length), {});
            return g_.apply(ops::linear(), {index.named(side.prefix + "position_index"), w}).named(hook);
        }
        case Positions::sinusoidal:
            return g_.apply(ops::sinusoidal_positions(side.positions, c_.d_model), {}).named(hook);
        default:
            return {};
    }
}

// The first value of the residual stream.
Node Builder::start(const Side& side) {
    const Node words = embedding(side), order = positions(side);
    const std::string name = side.prefix + stream_name(0);
    Node stream = words;
    if (order.id >= 0) stream = g_.apply(ops::add(), {words, order});
    if (c_.d_token_types > 0) {
        if (stream.id != words.id) stream.named(side.prefix + "hook_embed_with_pos");
        const Node w = g_.parameter(side.prefix + "embed.W_type", {c_.d_token_types, c_.d_model}, {0.0f, c_.init_std});
        const Node types = g_.input(side.prefix + "token_types", g_[side.input.id].shape);
        if (side.prefix.empty()) model_.token_types = types.id;
        const Node rows = g_.apply(ops::embed(), {types, w}).named(side.prefix + "hook_token_type");
        stream = g_.apply(ops::add(), {stream, rows});
    }
    if (c_.embedding_norm) {
        if (stream.id != words.id) stream.named(side.prefix + "hook_embed_sum");
        stream = nn::norm(context_, side.prefix + "ln_embed", stream, side.key_mask);
        g_.alias(stream.id, name);
    } else if (stream.id != words.id) {
        stream.named(name);
    } else {
        g_.alias(words.id, name);
    }
    return nn::dropout(context_, side.prefix + "hook_embed_dropout", stream);
}

Node Builder::run_blocks(const Side& side, Node stream, const nn::BlockInputs& in) {
    for (int layer = 0; layer < side.n_layers; ++layer) {
        const std::string name = side.prefix + "blocks." + std::to_string(layer);
        if (layer > 0) g_.alias(stream.id, name + ".hook_resid_pre");
        stream = nn::block(context_, name, stream, in);
    }
    return ends_normalized(c_) ? nn::norm(context_, side.prefix + "ln_final", stream, side.key_mask) : stream;
}

// What the decoder's cross-attention reads: the encoder's last stream, normalized if the blocks expect that.
Node Builder::source_memory() {
    const Side side{"encoder.", source_tokens_, source_key_mask_, shape_.source_positions, c_.encoder_layers(), false};
    return run_blocks(side, start(side), {source_key_mask_, {}, {}, false});
}

// BERT's vector of the whole text, which tells whether one sentence follows the other; the words do not read it.
void Builder::pooler(Node stream) {
    const Node first = g_.apply(ops::token_pool(false), {stream, key_mask_}).named("pooler.hook_first_word");
    const Node pre = nn::linear(context_, "pooler", "pool", first, c_.d_model, true).named("pooler.hook_pre");
    g_.apply(ops::tanh(), {pre}).named("pooler.hook_pooler_out");
}

// BERT's step before the unembedding: linear map, GELU, norm.
Node Builder::head_transform(Node stream) {
    const Node pre = nn::linear(context_, "head", "transform", stream, c_.d_model, true).named("head.hook_pre");
    const Node post = g_.apply(ops::gelu(), {pre}).named("head.hook_post");
    return c_.head_norm ? nn::norm(context_, "head.ln", post, key_mask_) : post;
}

Node Builder::logits(Node stream) {
    if (c_.output == OutputKind::words) {
        if (c_.head_transform) stream = head_transform(stream);
        if (!c_.tied) return nn::linear(context_, "unembed", "U", stream, c_.d_vocab, c_.unembed_bias);
        const Node scores = g_.apply(ops::matmul_transposed(), {stream, w_e_});
        if (!c_.unembed_bias) return scores;
        const Node bias = g_.parameter("unembed.b_U", {c_.d_vocab}, {});
        return g_.apply(ops::add(), {scores.named("hook_logits_without_bias"), bias});
    }
    if (c_.output == OutputKind::vectors) return stream;
    if (c_.output == OutputKind::classes) {
        const bool mean = c_.readout == Readout::mean, last = c_.readout == Readout::last;
        stream = g_.apply(mean ? ops::mean_pool() : ops::token_pool(last), {stream, key_mask_})
                     .named(mean   ? "hook_pooled"
                            : last ? "hook_last_word"
                                   : "hook_first_word");
    }
    return nn::linear(context_, "unembed", "U", stream, c_.d_output, true);
}

void Builder::finish(Node logits) {
    model_.logits = logits.id;
    if (c_.output == OutputKind::vectors)
        g_.alias(logits.id, "logits");  // its own name is that of the residual stream
    else
        logits.named("logits");
    if (c_.outputs_numbers()) {
        model_.loss = g_.apply(ops::squared_error(), {logits, targets_, loss_weights_}).named("loss").id;
    } else {
        model_.probabilities = g_.apply(ops::softmax(), {logits}).named("probabilities").id;
        model_.loss = g_.apply(ops::cross_entropy(), {logits, targets_, loss_weights_}).named("loss").id;
    }
    model_.graph = graph_;
    model_.config = c_;
    model_.batch = shape_.batch;
    model_.positions = shape_.positions;
    model_.source_positions = shape_.source_positions;
    model_.state = context_.state.id;
}

TransformerGraph Builder::build() {
    declare_inputs();
    declare_targets();
    const Side side{"", tokens_, key_mask_, shape_.positions, c_.n_layers, c_.causal()};
    const Node stream = start(side);
    nn::BlockInputs in{key_mask_, {}, {}, side.causal};
    if (c_.family == Family::encoder_decoder) {
        in.memory = source_memory();
        in.memory_mask = source_key_mask_;
    }
    const Node last = run_blocks(side, stream, in);
    if (c_.pooler) pooler(last);
    finish(logits(last));
    return model_;
}

NextWordGraph Builder::build_next_word(std::int64_t capacity) {
    NextWordGraph next;
    next.capacity = capacity;
    tokens_ = input("tokens", {1, 1}, next.token);
    nn::KeyValueCache cache;
    cache.position = input("position", {1}, next.position);
    cache.valid_mask = input("valid_mask", {1, capacity}, next.valid_mask);
    if (c_.attention.window > 0) cache.window_mask = input("window_mask", {1, capacity}, next.window_mask);
    cache.capacity = capacity;
    context_.cache = &cache;
    key_mask_ = cache.valid_mask;
    const Side side{"", tokens_, key_mask_, 1, c_.n_layers, true};
    const Node stream = start(side);
    next.logits = logits(run_blocks(side, stream, {key_mask_, {}, {}, true})).named("logits").id;
    for (int layer = 0; layer < c_.n_layers; ++layer) {
        const std::string attn = "blocks." + std::to_string(layer) + ".attn.";
        next.layers.push_back({g_.at(attn + "k_cache"), g_.at(attn + "v_cache"), g_.at(attn + cache_key_hook(c_)),
                               g_.at(attn + "hook_v")});
    }
    next.graph = graph_;
    return next;
}

void require_length(const char* pattern, int positions, int n_ctx) {
    if (positions < 1 || positions > n_ctx) throw Error(pattern, positions, n_ctx);
}

}  // namespace

std::string stream_name(int blocks) {
    return blocks == 0 ? "blocks.0.hook_resid_pre" : "blocks." + std::to_string(blocks - 1) + ".hook_resid_post";
}

TransformerGraph build_transformer(const TransformerConfig& config, const BatchShape& shape) {
    validate(config);
    if (shape.batch < 1) throw Error("the batch size is {1}; it must be at least 1", shape.batch);
    require_length(N_("the sentence has {1} tokens; this model reads 1 to {2}"), shape.positions, config.n_ctx);
    if (config.family == Family::encoder_decoder)
        require_length(N_("the source sentence has {1} tokens; this model reads 1 to {2}"), shape.source_positions,
                       config.n_ctx);
    return Builder(config, shape).build();
}

std::shared_ptr<const Graph> parameter_graph(const TransformerConfig& config) {
    return build_transformer(config, {1, 1, config.family == Family::encoder_decoder ? 1 : 0}).graph;
}

bool supports_kv_cache(const TransformerConfig& c) {
    const bool places = c.positions == Positions::learned || c.positions == Positions::none ||
                        c.positions == Positions::rotary || c.positions == Positions::alibi;
    return c.family == Family::decoder && c.causal() && c.input == InputKind::words && c.output == OutputKind::words &&
           places && c.norm != NormKind::batch_norm;
}

const char* cache_key_hook(const TransformerConfig& c) {
    if (c.positions == Positions::rotary) return "hook_rot_k";
    return c.attention.qk_norm ? "k_norm.hook_out" : "hook_k";
}

NextWordGraph build_next_word(const TransformerConfig& config, std::int64_t capacity) {
    validate(config);
    if (!supports_kv_cache(config))
        throw Error("only a decoder of words with learned, rotary, ALiBi or no positions can run one word at a time");
    if (capacity < 1 || capacity > config.n_ctx)
        throw Error("room for {1} words was asked for; this model reads 1 to {2}", capacity, config.n_ctx);
    return Builder(config, {1, 1, 0}).build_next_word(capacity);
}

}  // namespace glassformer
