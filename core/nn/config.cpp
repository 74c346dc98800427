#include "core/nn/config.h"

#include <cmath>
#include <string>

#include "core/base/error.h"

namespace glassformer {

namespace {

void within(const char* field, int value, int least, int most) {
    if (value < least || value > most)
        throw Error(std::string(field) + " is " + std::to_string(value) + "; it must be between " +
                    std::to_string(least) + " and " + std::to_string(most));
}

void refuse(bool impossible, const std::string& why) {
    if (impossible) throw Error(why);
}

// Upper bounds keep a hostile file from asking for more memory than any laptop has; the largest are GPT-2 XL's and
// more.
void validate_sizes(const TransformerConfig& c) {
    constexpr int most_words = 1 << 20, most_width = 1 << 14, most_layers = 1 << 10;
    if (c.input == InputKind::words || c.output == OutputKind::words) within("d_vocab", c.d_vocab, 1, most_words);
    within("n_ctx", c.n_ctx, 1, 1 << 16);
    within("d_model", c.d_model, 1, most_width);
    within("n_heads", c.n_heads, 1, 1 << 10);
    within("n_layers", c.n_layers, 1, most_layers);
    if (c.activation != Activation::none) within("d_mlp", c.d_mlp, 1, 1 << 17);
    within("d_head", c.attention.d_head, 0, most_width);
    within("d_value", c.attention.d_value, 0, most_width);
    if (c.input == InputKind::values) within("d_input", c.d_input, 1, most_width);
    if (c.output != OutputKind::words) within("d_output", c.d_output, 1, most_width);
    within("d_source_vocab", c.d_source_vocab, 0, most_words);
    within("n_encoder_layers", c.n_encoder_layers, 0, most_layers);
    refuse(!(c.norm_epsilon > 0.0f) || !std::isfinite(c.norm_epsilon), "layer_norm_epsilon must be a positive number");
    refuse(!(c.init_std >= 0.0f) || !std::isfinite(c.init_std), "init_std must be a number of at least 0");
    refuse(!(c.dropout >= 0.0f && c.dropout < 1.0f), "dropout must be at least 0 and below 1");
}

void validate_attention(const TransformerConfig& c) {
    const AttentionOptions& a = c.attention;
    refuse((a.d_head == 0 || a.projections == Projections::none) && c.d_model % c.n_heads != 0,
           "d_model " + std::to_string(c.d_model) + " cannot be shared evenly by n_heads " + std::to_string(c.n_heads));
    refuse(a.projections == Projections::none && (a.d_head != 0 || a.d_value != 0),
           "attention without parameters uses the stream itself as query, key and value: d_head and d_value must be 0");
    refuse(a.projections == Projections::shared && c.d_value() != c.d_head(),
           "a shared projection gives queries, keys and values one width: d_value " + std::to_string(c.d_value()) +
               " must be d_head " + std::to_string(c.d_head()));
    refuse(c.positions == Positions::rotary && c.rotary_pct == 1.0f && c.d_head() % 2 != 0,
           "rotary positions turn pairs of features: d_head " + std::to_string(c.d_head()) + " must be even");
    refuse(!(c.rotary_pct > 0.0f && c.rotary_pct <= 1.0f), "rotary_pct must be above 0 and at most 1");
    refuse(c.positions == Positions::rotary && (c.rotary_dims() < 2 || c.rotary_dims() % 2 != 0),
           "rotary positions turn pairs of features: rotary_pct of d_head " + std::to_string(c.d_head()) + " is " +
               std::to_string(c.rotary_dims()) + " features, and must be an even number of at least 2");
}

void validate_recurrent(const TransformerConfig& c) {
    refuse(c.activation != Activation::none, "a recurrent network has no MLP: set activation to none");
    refuse(c.positions == Positions::rotary || c.positions == Positions::alibi,
           "rotary and alibi positions live in attention, which a recurrent network does not have");
}

void validate_ends(const TransformerConfig& c) {
    refuse(c.output == OutputKind::words && c.input == InputKind::values && c.tied,
           "tied words need words that go in: with values as input, set tied to false");
    refuse(c.family == Family::encoder_decoder && c.input == InputKind::values,
           "an encoder-decoder reads words on both sides: set input to words");
    refuse(c.family == Family::encoder_decoder && c.output != OutputKind::words,
           "an encoder-decoder writes words: set output to words");
    refuse(c.family != Family::encoder_decoder && (c.d_source_vocab != 0 || c.n_encoder_layers != 0),
           "d_source_vocab and n_encoder_layers belong to an encoder-decoder");
    refuse(c.norm_placement == NormPlacement::none && (c.norm != NormKind::layer_norm || c.norm_scalar),
           "norm and norm_scalar choose a norm, but norm_placement none leaves it out");
}

}  // namespace

void validate(const TransformerConfig& c) {
    validate_sizes(c);
    if (c.recurrent())
        validate_recurrent(c);
    else
        validate_attention(c);
    validate_ends(c);
}

}  // namespace glassformer
