#pragma once

#include <string>

#include "core/base/reflection.h"
#include "core/ops/rotary_options.h"

namespace glassformer {

/// What attends to what: both directions (BERT), only the past (GPT), or a source and the past (translation); or, for
/// comparison, a recurrent state passed from word to word.
enum class Family { encoder, decoder, encoder_decoder, rnn, gru };
template <>
inline constexpr auto enum_names<Family> = names_up_to<Family::gru>("encoder", "decoder", "encoder_decoder", "rnn",
                                                                    "gru");
/// How word order enters: not at all, p·w or p/P·w with a learned vector w, a learned table, sinusoids, rotated queries
/// and keys (RoPE), or a penalty on distance (ALiBi).
enum class Positions { none, index, index_over_length, learned, sinusoidal, rotary, alibi };
template <>
inline constexpr auto enum_names<Positions> = names_up_to<Positions::alibi>("none", "index", "index_over_length",
                                                                            "learned", "sinusoidal", "rotary", "alibi");
/// Where a block normalizes: x + f(norm(x)); norm(x + f(x)); x̄ + f(x̄) with x̄ = norm(x); x + norm(f(norm(x))); or
/// nowhere, f(x) + x.
enum class NormPlacement { pre, post, stream_first, pre_and_post, none };
template <>
inline constexpr auto enum_names<NormPlacement> = names_up_to<NormPlacement::none>("pre", "post", "stream_first",
                                                                                   "pre_and_post", "none");
enum class NormKind { layer_norm, rms_norm, batch_norm };
template <>
inline constexpr auto enum_names<NormKind> = names_up_to<NormKind::batch_norm>("layer_norm", "rms_norm", "batch_norm");
/// swiglu and geglu_tanh gate a second linear map with SiLU or tanh-approximated GELU; none omits the MLP.
enum class Activation { relu, gelu, gelu_tanh, swiglu, geglu_tanh, none };
template <>
inline constexpr auto enum_names<Activation> = names_up_to<Activation::none>("relu", "gelu", "gelu_tanh", "swiglu",
                                                                             "geglu_tanh", "none");
/// The input: word ids, or vectors of real values (regression).
enum class InputKind { words, values };
template <>
inline constexpr auto enum_names<InputKind> = names_up_to<InputKind::values>("words", "values");
/// The output: words or values at every position, or classes, once per sentence; vectors: each token's last vector as
/// it is, for a model without a head (BertModel).
enum class OutputKind { words, classes, values, vectors };
template <>
inline constexpr auto enum_names<OutputKind> = names_up_to<OutputKind::vectors>("words", "classes", "values",
                                                                                "vectors");
/// The vector by which a sentence is classified: the mean of all its words' last vectors, or the last vector of its
/// first or last word.
enum class Readout { mean, first, last };
template <>
inline constexpr auto enum_names<Readout> = names_up_to<Readout::last>("mean", "first", "last");
/// How attention computes its queries, keys and values: three projections, one shared by all three, or none
/// (softmax(XXᵀ)X, also without W_O).
enum class Projections { separate, shared, none };
template <>
inline constexpr auto enum_names<Projections> = names_up_to<Projections::none>("separate", "shared", "none");

/// Whether W_O has a bias: as queries, keys and values have, or regardless of them.
enum class OutputBias { as_others, yes, no };
template <>
inline constexpr auto enum_names<OutputBias> = names_up_to<OutputBias::no>("as_others", "yes", "no");

/// The options of attention.
struct AttentionOptions {
    Projections projections = Projections::separate;
    bool biases = true;
    int d_head = 0;   // of queries and keys (D_k); 0: d_model / n_heads
    int d_value = 0;  // of values (D_v); 0: d_head
    bool hard = false;
    bool scale = true;          // ÷ √d_head
    bool padding_mask = true;   // mask padding keys
    int n_key_value_heads = 0;  // key-value heads, each shared by a group of query heads; 0: n_heads
    OutputBias output_bias = OutputBias::as_others;
    bool qk_norm = false;            // normalize queries and keys per head, before the rotation
    int scale_width = 0;             // ÷ √ of this instead of d_head; 0: d_head
    int window = 0;                  // a word attends to words at most window − 1 away; 0: all
    std::string window_layers = {};  // a pattern repeated over the blocks: 'w' with the window, '-' without; empty: all
    bool causal_mask = true;         // decoder: mask later words; off only for what-ifs, not stored in files

    bool operator==(const AttentionOptions&) const = default;
};

/// The binding below fails to compile if the struct gains a field that is missing here. Files have no causal_mask.
template <MaybeConst<AttentionOptions> Fields, class Visit>
void visit_fields(Fields& options, const Visit& visit) {
    auto& [projections, biases, d_head, d_value, hard, scale, padding_mask, n_key_value_heads, output_bias, qk_norm,
           scale_width, window, window_layers, causal_mask] = options;
    visit("projections", projections);
    visit("biases", biases);
    visit("d_head", d_head);
    visit("d_value", d_value);
    visit("hard", hard);
    visit("scale", scale);
    visit("padding_mask", padding_mask);
    visit.where_set("n_key_value_heads", n_key_value_heads, 0);
    visit.where_set("output_bias", output_bias, OutputBias::as_others);
    visit.where_set("qk_norm", qk_norm, false);
    visit.where_set("scale_width", scale_width, 0);
    visit.where_set("window", window, 0);
    visit.where_set("window_layers", window_layers, std::string());
}

/// The configuration of a transformer, in the field's usual names: sizes, and all options that a lecture may change.
struct TransformerConfig {
    int d_vocab = 0;
    int n_ctx = 0;  // longest sentence, in tokens
    int d_model = 64;
    int n_heads = 4;
    int n_layers = 2;
    int d_mlp = 256;
    float norm_epsilon = 1e-5f;  // of all norms
    float init_std = 0.08f;      // of all matrices; biases start at 0 and γ at 1

    Family family = Family::encoder;
    AttentionOptions attention = {};
    Positions positions = Positions::learned;
    float rotary_pct = 1.0f;  // rotary: the share of d_head that is rotated, starting at the first feature (GPT-NeoX)
    RotaryOptions rotary = {};
    float rotary_window_base = 0.0f;  // rotary: base for blocks with a window, without scaling; 0: as in the others
    NormPlacement norm_placement = NormPlacement::pre;
    NormKind norm = NormKind::layer_norm;
    bool norm_scalar = false;  // a single γ and β for all features
    Activation activation = Activation::gelu;
    bool residual = true;
    bool mlp_residual = true;      // off: the MLP's result replaces the stream, MLP(Y(X) + X)
    bool parallel = false;         // attention and MLP read the same stream, and both are added to it (GPT-NeoX)
    float embedding_scale = 1.0f;  // factor of the embedding (Gemma: √d_model)
    bool embedding_norm = false;   // norm before the first block (BERT)
    int d_token_types = 0;         // rows of the token type table, one of which is added to every word (BERT)
    int sentence_end = -1;         // the token that ends the first of two sentences; -1: only one sentence
    bool head_transform = false;   // linear map, GELU and norm before the unembedding (BERT)
    bool head_norm = true;         // off: head_transform has no norm, whatever norm_placement says
    bool pooler = false;           // alongside the words: linear map and tanh on the first word's last vector (BERT)
    bool unembed_bias = false;     // one number per output word
    float dropout = 0.0f;          // after the embedding, attention and MLP, in training
    bool tied = true;              // the unembedding shares the embedding matrix
    InputKind input = InputKind::words;
    int d_input = 0;  // width of an input vector, if the input is values
    OutputKind output = OutputKind::words;
    int d_output = 0;  // number of classes, or width of an output vector (vectors: d_model)
    Readout readout = Readout::mean;
    int d_source_vocab = 0;  // encoder–decoder: words of the source language; 0: one shared vocabulary and embedding
    int n_encoder_layers = 0;  // encoder–decoder: blocks of the encoder; 0: n_layers

    bool operator==(const TransformerConfig&) const = default;

    int d_head() const { return attention.d_head > 0 ? attention.d_head : d_model / n_heads; }
    int d_value() const { return attention.d_value > 0 ? attention.d_value : d_head(); }
    bool causal() const {
        return attention.causal_mask && (family == Family::decoder || family == Family::encoder_decoder);
    }
    /// True if the output has no probabilities.
    bool outputs_numbers() const { return output == OutputKind::values || output == OutputKind::vectors; }
    bool recurrent() const { return family == Family::rnn || family == Family::gru; }
    /// The number of features of each query and key that rotary positions rotate.
    int rotary_dims() const { return static_cast<int>(static_cast<float>(d_head()) * rotary_pct); }
    int n_key_value_heads() const { return attention.n_key_value_heads > 0 ? attention.n_key_value_heads : n_heads; }
    bool output_bias() const {
        return attention.output_bias == OutputBias::as_others ? attention.biases
                                                              : attention.output_bias == OutputBias::yes;
    }
    /// How far attention in a block sees; 0: everything.
    int window_of(int block) const {
        const std::string& which = attention.window_layers;
        const bool all = which.empty() || which[static_cast<std::size_t>(block) % which.size()] == 'w';
        return all ? attention.window : 0;
    }
    /// The rotary angles of a block.
    RotaryOptions rotary_of(int block) const {
        return rotary_window_base > 0.0f && window_of(block) > 0
                   ? RotaryOptions{.base = rotary_window_base, .halves = rotary.halves}
                   : rotary;
    }
    int encoder_layers() const { return n_encoder_layers > 0 ? n_encoder_layers : n_layers; }
};

template <MaybeConst<TransformerConfig> Fields, class Visit>
void visit_fields(Fields& config, const Visit& visit) {
    auto& [d_vocab, n_ctx, d_model, n_heads, n_layers, d_mlp, norm_epsilon, init_std, family, attention, positions,
           rotary_pct, rotary, rotary_window_base, norm_placement, norm, norm_scalar, activation, residual,
           mlp_residual, parallel, embedding_scale, embedding_norm, d_token_types, sentence_end, head_transform,
           head_norm, pooler, unembed_bias, dropout, tied, input, d_input, output, d_output, readout, d_source_vocab,
           n_encoder_layers] = config;
    visit("d_vocab", d_vocab);
    visit("n_ctx", n_ctx);
    visit("d_model", d_model);
    visit("n_heads", n_heads);
    visit("n_layers", n_layers);
    visit("d_mlp", d_mlp);
    visit("layer_norm_epsilon", norm_epsilon);
    visit("init_std", init_std);
    visit("family", family);
    visit("attention", attention);
    visit("positions", positions);
    visit.where_set("rotary_pct", rotary_pct, 1.0f);
    visit.where_set("rotary", rotary, RotaryOptions{});
    visit.where_set("rotary_window_base", rotary_window_base, 0.0f);
    visit("norm_placement", norm_placement);
    visit("norm", norm);
    visit("norm_scalar", norm_scalar);
    visit("activation", activation);
    visit("residual", residual);
    visit.where_set("mlp_residual", mlp_residual, true);
    visit.where_set("parallel", parallel, false);
    visit.where_set("embedding_scale", embedding_scale, 1.0f);
    visit.where_set("embedding_norm", embedding_norm, false);
    visit.where_set("d_token_types", d_token_types, 0);
    visit.where_set("sentence_end", sentence_end, -1);
    visit.where_set("head_transform", head_transform, false);
    visit.where_set("head_norm", head_norm, true);
    visit.where_set("pooler", pooler, false);
    visit.where_set("unembed_bias", unembed_bias, false);
    visit("dropout", dropout);
    visit("tied", tied);
    visit("input", input);
    visit("d_input", d_input);
    visit("output", output);
    visit("d_output", d_output);
    visit.where_set("readout", readout, Readout::mean);
    visit("d_source_vocab", d_source_vocab);
    visit("n_encoder_layers", n_encoder_layers);
}

/// Throws Error naming a field with an impossible value (d_model not divisible by n_heads, a size below 1 or
/// unreasonably large), or two fields that contradict each other, and why.
void validate(const TransformerConfig& config);

}  // namespace glassformer
