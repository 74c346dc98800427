#include "core/nn/config.h"

#include <cmath>

#include "core/base/error.h"

namespace glassformer {

namespace {

void within(const char* field, int value, int least, int most) {
    if (value < least || value > most)
        throw Error("{1} is {2}; it must be between {3} and {4}", field, value, least, most);
}

template <typename... Places>
void refuse_if(bool impossible, std::string_view pattern, const Places&... places) {
    if (impossible) throw Error(filled_with(pattern, places...));
}

// Upper bounds keep a malicious file from requesting more memory than any laptop has; GPT-2 XL fits.
void validate_sizes(const TransformerConfig& c) {
    constexpr int most_words = 1 << 20, most_width = 1 << 14, most_layers = 1 << 10;
    if (c.input == InputKind::words || c.output == OutputKind::words) within("d_vocab", c.d_vocab, 1, most_words);
    within("n_ctx", c.n_ctx, 1, 1 << 20);
    within("d_model", c.d_model, 1, most_width);
    within("n_heads", c.n_heads, 1, 1 << 10);
    within("n_layers", c.n_layers, 1, most_layers);
    if (c.activation != Activation::none) within("d_mlp", c.d_mlp, 1, 1 << 17);
    within("d_head", c.attention.d_head, 0, most_width);
    within("d_value", c.attention.d_value, 0, most_width);
    within("n_key_value_heads", c.attention.n_key_value_heads, 0, 1 << 10);
    within("scale_width", c.attention.scale_width, 0, most_width);
    within("window", c.attention.window, 0, 1 << 20);
    within("d_token_types", c.d_token_types, 0, 1 << 10);
    within("sentence_end", c.sentence_end, -1, c.d_vocab - 1);
    if (c.input == InputKind::values) within("d_input", c.d_input, 1, most_width);
    if (c.output != OutputKind::words) within("d_output", c.d_output, 1, most_width);
    within("d_source_vocab", c.d_source_vocab, 0, most_words);
    within("n_encoder_layers", c.n_encoder_layers, 0, most_layers);
    refuse_if(!(c.norm_epsilon > 0.0f) || !std::isfinite(c.norm_epsilon),
              "layer_norm_epsilon must be a positive number");
    refuse_if(!(c.init_std >= 0.0f) || !std::isfinite(c.init_std), "init_std must be a number of at least 0");
    refuse_if(!(c.embedding_scale > 0.0f) || !std::isfinite(c.embedding_scale),
              "embedding_scale must be a positive number");
    refuse_if(!(c.dropout >= 0.0f && c.dropout < 1.0f), "dropout must be at least 0 and below 1");
}

void validate_attention(const TransformerConfig& c) {
    const AttentionOptions& a = c.attention;
    refuse_if((a.d_head == 0 || a.projections == Projections::none) && c.d_model % c.n_heads != 0,
              "d_model {1} is not divisible by n_heads {2}", c.d_model, c.n_heads);
    refuse_if(
        a.projections == Projections::none && (a.d_head != 0 || a.d_value != 0),
        "attention without parameters uses the stream itself as query, key and value: d_head and d_value must be 0");
    refuse_if(a.projections == Projections::shared && c.d_value() != c.d_head(),
              "a shared projection gives queries, keys and values one width: d_value {1} must be d_head {2}",
              c.d_value(), c.d_head());
    refuse_if(c.n_heads % c.n_key_value_heads() != 0, "n_heads {1} is not divisible by n_key_value_heads {2}",
              c.n_heads, c.n_key_value_heads());
    refuse_if(a.projections != Projections::separate && (a.n_key_value_heads != 0 || a.qk_norm),
              "n_key_value_heads and qk_norm need queries, keys and values of their own: set projections to separate");
    refuse_if(a.qk_norm && c.norm == NormKind::batch_norm, "qk_norm works head by head, which batch_norm does not");
    refuse_if(
        !a.window_layers.empty() && (a.window == 0 || a.window_layers.find_first_not_of("w-") != std::string::npos),
        "window_layers marks with w and - which blocks have the window; it needs a window");
}

void validate_rotary(const TransformerConfig& c) {
    const RotaryOptions& r = c.rotary;
    const auto positive = [](const char* field, float value) {
        refuse_if(!(value > 0.0f) || !std::isfinite(value), "{1} must be a positive number", field);
    };
    positive("rotary base", r.base);
    positive("rotary factor", r.factor);
    positive("rotary low_frequency_factor", r.low_frequency_factor);
    positive("rotary high_frequency_factor", r.high_frequency_factor);
    refuse_if(r.scaling == RotaryScaling::llama3 && !(r.high_frequency_factor > r.low_frequency_factor),
              "rotary high_frequency_factor must be above low_frequency_factor");
    within("rotary original_length", r.original_length, 1, 1 << 20);
    refuse_if(!(c.rotary_window_base >= 0.0f) || !std::isfinite(c.rotary_window_base),
              "rotary_window_base must be a number of at least 0");
    refuse_if(!(c.rotary_pct > 0.0f && c.rotary_pct <= 1.0f), "rotary_pct must be above 0 and at most 1");
    if (c.positions != Positions::rotary) return;
    refuse_if(c.rotary_pct == 1.0f && c.d_head() % 2 != 0,
              "rotary positions rotate pairs of features: d_head {1} must be even", c.d_head());
    refuse_if(c.rotary_dims() < 2 || c.rotary_dims() % 2 != 0,
              "rotary positions rotate pairs of features: rotary_pct of d_head {1} is {2} features, and must be an "
              "even number of at least 2",
              c.d_head(), c.rotary_dims());
}

void validate_recurrent(const TransformerConfig& c) {
    refuse_if(c.activation != Activation::none, "a recurrent network has no MLP: set activation to none");
    refuse_if(c.positions == Positions::rotary || c.positions == Positions::alibi,
              "rotary and alibi positions live in attention, which a recurrent network does not have");
}

void validate_ends(const TransformerConfig& c) {
    refuse_if(c.output == OutputKind::words && c.input == InputKind::values && c.tied,
              "a tied embedding needs words as input: with values as input, set tied to false");
    refuse_if(c.family == Family::encoder_decoder && c.input == InputKind::values,
              "an encoder-decoder reads words on both sides: set input to words");
    refuse_if(c.family == Family::encoder_decoder && c.output != OutputKind::words,
              "an encoder-decoder writes words: set output to words");
    refuse_if(c.family != Family::encoder_decoder && (c.d_source_vocab != 0 || c.n_encoder_layers != 0),
              "d_source_vocab and n_encoder_layers belong to an encoder-decoder");
    refuse_if(c.norm_placement == NormPlacement::none && (c.norm != NormKind::layer_norm || c.norm_scalar),
              "norm and norm_scalar choose a norm, but norm_placement none leaves it out");
    refuse_if(c.parallel && (c.recurrent() || c.activation == Activation::none || c.family == Family::encoder_decoder ||
                             (c.norm_placement != NormPlacement::pre && c.norm_placement != NormPlacement::none)),
              "parallel blocks need an attention and an MLP on one stream, with norm_placement pre or none");
    refuse_if((c.d_token_types > 0 || c.embedding_scale != 1.0f) && c.input != InputKind::words,
              "d_token_types and embedding_scale belong to words as input");
    refuse_if((c.head_transform || c.unembed_bias) && c.output != OutputKind::words,
              "head_transform and unembed_bias belong to words as output");
    refuse_if(c.output == OutputKind::vectors && c.d_output != c.d_model,
              "with vectors as output, d_output {1} must be d_model {2}", c.d_output, c.d_model);
    refuse_if(
        c.pooler && (c.family != Family::encoder || (c.output != OutputKind::words && c.output != OutputKind::vectors)),
        "a pooler belongs to an encoder with words or vectors as output");
    refuse_if(c.readout != Readout::mean && c.output != OutputKind::classes,
              "readout belongs to classes as output: words and values come out at every position");
    refuse_if(!c.mlp_residual && (c.recurrent() || c.activation == Activation::none || c.parallel),
              "mlp_residual is about an MLP that comes after attention, which this model does not have");
}

}  // namespace

void validate(const TransformerConfig& c) {
    validate_sizes(c);
    if (c.recurrent())
        validate_recurrent(c);
    else
        validate_attention(c), validate_rotary(c);
    validate_ends(c);
}

}  // namespace glassformer
