// Configs that are not valid: each rule of core/nn/config.cpp is broken once for each of its reasons, and met once
// exactly at its limit.
#include <doctest/doctest.h>

#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "core/nn/config.h"
#include "tests/core/error_of.h"

using namespace glassformer;

namespace {

using Change = std::function<void(TransformerConfig&)>;

TransformerConfig plain() {
    TransformerConfig c;
    c.d_vocab = 10, c.n_ctx = 8, c.d_model = 8, c.n_heads = 2, c.n_layers = 1, c.d_mlp = 16;
    return c;
}

std::string refusal(const Change& change) {
    TransformerConfig c = plain();
    change(c);
    return error_of([&] { validate(c); });
}

struct Rule {
    std::string says;  // part of the message
    std::vector<Change> broken, kept;
};

void check(const std::vector<Rule>& rules) {
    for (const Rule& rule : rules) {
        CAPTURE(rule.says);
        for (std::size_t i = 0; i < rule.broken.size(); ++i) {
            CAPTURE(i);
            CHECK(contains(refusal(rule.broken[i]), rule.says));
        }
        for (std::size_t i = 0; i < rule.kept.size(); ++i) {
            CAPTURE(i);
            CHECK(refusal(rule.kept[i]) == "");
        }
    }
}

void of_values(TransformerConfig& c) { c.input = InputKind::values, c.d_input = 3, c.tied = false; }
void to_vectors(TransformerConfig& c) { c.output = OutputKind::vectors, c.d_output = c.d_model; }
void to_classes(TransformerConfig& c) { c.output = OutputKind::classes, c.d_output = 3; }
void recurrent(TransformerConfig& c) { c.family = Family::rnn, c.activation = Activation::none; }
void rotary(TransformerConfig& c) { c.positions = Positions::rotary; }

using C = TransformerConfig;
constexpr float infinite = std::numeric_limits<float>::infinity(), no_number = std::numeric_limits<float>::quiet_NaN();

}  // namespace

TEST_CASE("config rules: sizes have a minimum and a maximum, if the model has them at all") {
    const auto size = [](const char* name, int C::*field, int least, int most) {
        return Rule{name,
                    {[=](C& c) { c.*field = least - 1; }, [=](C& c) { c.*field = most + 1; }},
                    {[=](C& c) { c.*field = least; }, [=](C& c) { c.*field = most; }}};
    };
    const auto part = [](const char* name, int AttentionOptions::*field, int most) {
        return Rule{name,
                    {[=](C& c) { c.attention.*field = -1; }, [=](C& c) { c.attention.*field = most + 1; }},
                    {[=](C& c) { c.attention.*field = 0; }, [=](C& c) { c.attention.*field = most; }}};
    };
    check({size("d_vocab", &C::d_vocab, 1, 1 << 20), size("n_ctx", &C::n_ctx, 1, 1 << 20),
           size("n_layers", &C::n_layers, 1, 1 << 10), size("d_mlp", &C::d_mlp, 1, 1 << 17),
           size("d_token_types", &C::d_token_types, 0, 1 << 10), size("sentence_end", &C::sentence_end, -1, 9),
           part("d_head", &AttentionOptions::d_head, 1 << 14), part("d_value", &AttentionOptions::d_value, 1 << 14),
           part("scale_width", &AttentionOptions::scale_width, 1 << 14),
           part("window", &AttentionOptions::window, 1 << 20)});
    check({{"d_model", {[](C& c) { c.d_model = 0; }, [](C& c) { c.d_model = (1 << 14) + 2; }}, {[](C& c) {
                c.d_model = 1 << 14;
            }}},
           {"n_heads", {[](C& c) { c.n_heads = 0; }, [](C& c) { c.n_heads = 1025, c.d_model = 1025; }}, {[](C& c) {
                c.n_heads = c.d_model = 1024;
            }}},
           {"n_key_value_heads",
            {[](C& c) { c.attention.n_key_value_heads = -1; }, [](C& c) { c.attention.n_key_value_heads = 1025; }},
            {[](C& c) { c.attention.n_key_value_heads = 0; }}},
           {"d_mlp", {[](C& c) { c.d_mlp = 0; }}, {[](C& c) { c.d_mlp = 0, c.activation = Activation::none; }}},
           {"d_input", {[](C& c) { of_values(c), c.d_input = 0; }}, {of_values, [](C& c) { c.d_input = 0; }}},
           {"d_output", {[](C& c) { to_classes(c), c.d_output = 0; }}, {to_classes, [](C& c) { c.d_output = 0; }}},
           {"d_vocab",
            {[](C& c) { of_values(c), c.d_vocab = 0; }, [](C& c) { to_classes(c), c.d_vocab = 0; }},
            {[](C& c) { of_values(c), to_classes(c), c.d_vocab = 0; }}},
           {"d_source_vocab",
            {[](C& c) { c.family = Family::encoder_decoder, c.d_source_vocab = -1; },
             [](C& c) { c.family = Family::encoder_decoder, c.d_source_vocab = (1 << 20) + 1; }},
            {[](C& c) { c.family = Family::encoder_decoder, c.d_source_vocab = 1 << 20; }}},
           {"n_encoder_layers",
            {[](C& c) { c.family = Family::encoder_decoder, c.n_encoder_layers = -1; },
             [](C& c) { c.family = Family::encoder_decoder, c.n_encoder_layers = 1025; }},
            {[](C& c) { c.family = Family::encoder_decoder, c.n_encoder_layers = 1024; }}}});
}

TEST_CASE("config rules: numbers are finite and within their bounds") {
    const auto positive = [](const char* says, float C::*field) {
        return Rule{says,
                    {[=](C& c) { c.*field = 0; }, [=](C& c) { c.*field = -1; }, [=](C& c) { c.*field = infinite; },
                     [=](C& c) { c.*field = no_number; }},
                    {[=](C& c) { c.*field = 1e-6f; }}};
    };
    const auto not_negative = [](const char* says, float C::*field) {
        return Rule{
            says,
            {[=](C& c) { c.*field = -1e-6f; }, [=](C& c) { c.*field = infinite; }, [=](C& c) { c.*field = no_number; }},
            {[=](C& c) { c.*field = 0; }, [=](C& c) { c.*field = 3; }}};
    };
    check({positive("layer_norm_epsilon", &C::norm_epsilon),
           positive("embedding_scale", &C::embedding_scale),
           not_negative("init_std", &C::init_std),
           not_negative("rotary_window_base", &C::rotary_window_base),
           {"dropout",
            {[](C& c) { c.dropout = -0.1f; }, [](C& c) { c.dropout = 1; }, [](C& c) { c.dropout = no_number; }},
            {[](C& c) { c.dropout = 0; }, [](C& c) { c.dropout = 0.9f; }}},
           {"rotary_pct", {[](C& c) { c.rotary_pct = 0; }, [](C& c) { c.rotary_pct = 1.1f; }}, {[](C& c) {
                c.rotary_pct = 1;
            }}}});
    for (float RotaryOptions::*field : {&RotaryOptions::base, &RotaryOptions::factor,
                                        &RotaryOptions::low_frequency_factor, &RotaryOptions::high_frequency_factor})
        for (const float wrong : {0.0f, -1.0f, infinite, no_number})
            CHECK(contains(refusal([&](C& c) { c.rotary.*field = wrong; }), "positive number"));
    const auto llama = [](float low, float high) {
        return [=](C& c) {
            c.rotary.scaling = RotaryScaling::llama3;
            c.rotary.low_frequency_factor = low, c.rotary.high_frequency_factor = high;
        };
    };
    check({{"must be above low_frequency_factor", {llama(2, 1), llama(2, 2)}, {llama(1, 2)}},
           {"original_length",
            {[](C& c) { c.rotary.original_length = 0; }, [](C& c) { c.rotary.original_length = (1 << 20) + 1; }},
            {[](C& c) { c.rotary.original_length = 1; }, [](C& c) { c.rotary.original_length = 1 << 20; }}}});
}

TEST_CASE("config rules: head widths and attention projections must be consistent") {
    check({
        {"is not divisible by n_heads",
         {[](C& c) { c.n_heads = 3; }, [](C& c) { c.n_heads = 3, c.attention.projections = Projections::none; }},
         {[](C& c) { c.n_heads = 3, c.attention.d_head = 5; }}},
        {"attention without parameters",
         {[](C& c) { c.attention.projections = Projections::none, c.attention.d_head = 4; },
          [](C& c) { c.attention.projections = Projections::none, c.attention.d_value = 4; }},
         {[](C& c) { c.attention.projections = Projections::none; }}},
        {"a shared projection",
         {[](C& c) { c.attention.projections = Projections::shared, c.attention.d_value = 3; }},
         {[](C& c) { c.attention.projections = Projections::shared, c.attention.d_value = 4; },
          [](C& c) { c.attention.d_value = 3; }}},
        {"is not divisible by n_key_value_heads",
         {[](C& c) { c.n_heads = 4, c.attention.n_key_value_heads = 3; }},
         {[](C& c) { c.n_heads = 4, c.attention.n_key_value_heads = 2; }}},
        {"need queries, keys and values of their own",
         {[](C& c) { c.attention.projections = Projections::shared, c.attention.n_key_value_heads = 1; },
          [](C& c) { c.attention.projections = Projections::shared, c.attention.qk_norm = true; }},
         {[](C& c) { c.attention.n_key_value_heads = 1; }, [](C& c) { c.attention.qk_norm = true; }}},
        {"which batch_norm does not",
         {[](C& c) { c.attention.qk_norm = true, c.norm = NormKind::batch_norm; }},
         {[](C& c) { c.norm = NormKind::batch_norm; }}},
        {"window_layers marks",
         {[](C& c) { c.attention.window_layers = "w-"; },
          [](C& c) { c.attention.window_layers = "wx", c.attention.window = 2; }},
         {[](C& c) { c.attention.window_layers = "w-", c.attention.window = 2; },
          [](C& c) { c.attention.window = 2; }}},
        {"must be even",
         {[](C& c) { rotary(c), c.attention.d_head = 3; }},
         {rotary, [](C& c) { c.attention.d_head = 3; }}},
        {"an even number of at least 2",
         {[](C& c) { rotary(c), c.rotary_pct = 0.25f; }, [](C& c) { rotary(c), c.rotary_pct = 0.75f; }},
         {[](C& c) { rotary(c), c.rotary_pct = 0.5f; }, [](C& c) { c.rotary_pct = 0.25f; }}},
    });
}

TEST_CASE("config rules: inputs, outputs and the rest of the model must be consistent") {
    check({
        {"a recurrent network has no MLP",
         {[](C& c) { recurrent(c), c.activation = Activation::gelu; }},
         {recurrent, [](C& c) { recurrent(c), c.family = Family::gru, c.n_heads = 3; }}},
        {"live in attention",
         {[](C& c) { recurrent(c), c.positions = Positions::rotary; },
          [](C& c) { recurrent(c), c.positions = Positions::alibi; }},
         {[](C& c) { recurrent(c), c.positions = Positions::none; }, [](C& c) { c.positions = Positions::alibi; }}},
        {"a tied embedding needs",
         {[](C& c) { of_values(c), c.tied = true; }},
         {of_values, [](C& c) { of_values(c), to_classes(c), c.tied = true; }}},
        {"reads words on both sides", {[](C& c) { of_values(c), c.family = Family::encoder_decoder; }}, {[](C& c) {
             c.family = Family::encoder_decoder;
         }}},
        {"an encoder-decoder writes words",
         {[](C& c) { to_classes(c), c.family = Family::encoder_decoder; }},
         {[](C& c) { to_classes(c), c.family = Family::decoder; }}},
        {"belong to an encoder-decoder",
         {[](C& c) { c.d_source_vocab = 5; }, [](C& c) { c.n_encoder_layers = 1; }},
         {[](C& c) { c.family = Family::encoder_decoder, c.d_source_vocab = 5, c.n_encoder_layers = 1; }}},
        {"norm_placement none leaves it out",
         {[](C& c) { c.norm_placement = NormPlacement::none, c.norm = NormKind::rms_norm; },
          [](C& c) { c.norm_placement = NormPlacement::none, c.norm_scalar = true; }},
         {[](C& c) { c.norm_placement = NormPlacement::none; },
          [](C& c) { c.norm = NormKind::rms_norm, c.norm_scalar = true; }}},
        {"parallel blocks need",
         {[](C& c) { recurrent(c), c.parallel = true; },
          [](C& c) { c.parallel = true, c.activation = Activation::none; },
          [](C& c) { c.parallel = true, c.family = Family::encoder_decoder; },
          [](C& c) { c.parallel = true, c.norm_placement = NormPlacement::post; }},
         {[](C& c) { c.parallel = true; }, [](C& c) { c.parallel = true, c.norm_placement = NormPlacement::none; },
          [](C& c) { c.norm_placement = NormPlacement::post; }}},
        {"belong to words as input",
         {[](C& c) { of_values(c), c.d_token_types = 2; }, [](C& c) { of_values(c), c.embedding_scale = 2; }},
         {[](C& c) { c.d_token_types = 2, c.embedding_scale = 2; }}},
        {"belong to words as output",
         {[](C& c) { to_classes(c), c.head_transform = true; }, [](C& c) { to_classes(c), c.unembed_bias = true; }},
         {[](C& c) { c.head_transform = true; }, [](C& c) { c.unembed_bias = true; }}},
        {"must be d_model", {[](C& c) { c.output = OutputKind::vectors, c.d_output = c.d_model - 1; }}, {[](C& c) {
             to_vectors(c);
         }}},
        {"a pooler belongs to",
         {[](C& c) { c.pooler = true, c.family = Family::decoder; }, [](C& c) { to_classes(c), c.pooler = true; }},
         {[](C& c) { c.pooler = true; }, [](C& c) { to_vectors(c), c.pooler = true; }}},
        {"readout belongs to classes",
         {[](C& c) { c.readout = Readout::last; },
          [](C& c) { c.output = OutputKind::values, c.d_output = 3, c.readout = Readout::first; }},
         {[](C& c) { to_classes(c), c.readout = Readout::last; }}},
        {"mlp_residual is about",
         {[](C& c) { recurrent(c), c.mlp_residual = false; },
          [](C& c) { c.mlp_residual = false, c.activation = Activation::none; },
          [](C& c) { c.mlp_residual = false, c.parallel = true; }},
         {[](C& c) { c.mlp_residual = false; }}},
    });
}
