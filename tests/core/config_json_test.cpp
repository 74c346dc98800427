#include "core/io/config_json.h"

#include <doctest/doctest.h>

#include <set>

#include "core/nn/config.h"
#include "tests/core/model_folder.h"

using namespace glassformer;
using nlohmann::json;

namespace {

TransformerConfig small() {
    TransformerConfig c;
    c.d_vocab = 9;
    c.n_ctx = 6;
    c.d_model = 8;
    c.n_heads = 2;
    c.d_mlp = 12;
    return c;
}

TransformerConfig changed(const std::function<void(TransformerConfig&)>& change) {
    TransformerConfig c = small();
    change(c);
    return c;
}

/// Models that together exercise every switch.
std::vector<TransformerConfig> models() {
    return {small(),
            changed([](TransformerConfig& c) {
                c.family = Family::decoder;
                c.positions = Positions::rotary;
                c.norm = NormKind::rms_norm;
                c.activation = Activation::swiglu;
                c.tied = false;
                c.dropout = 0.1f;
                c.norm_epsilon = 1e-6f;
                c.init_std = 0.02f;
            }),
            changed([](TransformerConfig& c) {
                c.family = Family::decoder;
                c.positions = Positions::rotary;
                c.rotary_pct = 0.5f;
            }),
            changed([](TransformerConfig& c) {
                c.family = Family::encoder_decoder;
                c.positions = Positions::sinusoidal;
                c.norm_placement = NormPlacement::post;
                c.d_source_vocab = 11;
                c.n_encoder_layers = 3;
            }),
            changed([](TransformerConfig& c) {
                c.attention.biases = false;
                c.attention.d_head = 6;
                c.attention.d_value = 5;
                c.attention.scale = false;
                c.attention.padding_mask = false;
                c.norm_scalar = true;
                c.output = OutputKind::classes;
                c.d_output = 3;
                c.tied = false;
            }),
            changed([](TransformerConfig& c) {
                c.input = InputKind::values;
                c.d_input = 3;
                c.output = OutputKind::values;
                c.d_output = 1;
                c.tied = false;
                c.family = Family::decoder;
            }),
            changed([](TransformerConfig& c) {
                c.attention.hard = true;
                c.norm_placement = NormPlacement::none;
                c.residual = false;
                c.activation = Activation::none;
            }),
            changed([](TransformerConfig& c) {
                c.family = Family::decoder;
                c.positions = Positions::rotary;
                c.rotary = {.base = 5e5f, .halves = true, .scaling = RotaryScaling::llama3, .factor = 8};
                c.rotary.low_frequency_factor = 2, c.rotary.high_frequency_factor = 5, c.rotary.original_length = 99;
                c.rotary_window_base = 123;
                c.norm_placement = NormPlacement::pre_and_post;
                c.activation = Activation::geglu_tanh;
                c.embedding_scale = 2.5f;
                c.attention.n_key_value_heads = 1;
                c.attention.output_bias = OutputBias::no;
                c.attention.qk_norm = true;
                c.attention.scale_width = 7;
                c.attention.window = 3;
                c.attention.window_layers = "w-";
            }),
            changed([](TransformerConfig& c) { c.parallel = true; }),
            changed([](TransformerConfig& c) { c.mlp_residual = false; }),
            changed([](TransformerConfig& c) {
                c.output = OutputKind::classes;
                c.d_output = 3;
                c.readout = Readout::last;
            }),
            changed([](TransformerConfig& c) {
                c.embedding_norm = c.head_transform = c.unembed_bias = c.pooler = true;
                c.d_token_types = 2;
                c.sentence_end = 3;
            }),
            changed([](TransformerConfig& c) {
                c.head_transform = true;
                c.head_norm = false;
            })};
}

std::string error_for(const std::function<void(json&)>& change) {
    json object = config_to_json(small());
    change(object);
    return error_of([&] { config_from_json(object, "config.json", {}); });
}

}  // namespace

TEST_CASE("the config of every kind of model is written to config.json and read back unchanged") {
    std::set<std::string> texts;
    for (const TransformerConfig& c : models()) {
        const std::string text = config_to_json(c).dump();
        CAPTURE(text);
        CHECK(config_from_json(json::parse(text), "config.json", {}) == c);
        texts.insert(text);
    }
    CHECK(texts.size() == models().size());
    CHECK(config_to_json(small())["layer_norm_epsilon"].dump() == "1e-05");
}

TEST_CASE("switches are written by their names in the code") {
    const json object = config_to_json(models()[3]);
    CHECK(object["family"] == "encoder_decoder");
    CHECK(object["positions"] == "sinusoidal");
    CHECK(object["norm_placement"] == "post");
    CHECK(object["attention"]["projections"] == "separate");
    CHECK(name_of(Positions::index_over_length) == "index_over_length");
    CHECK(name_of(NormKind::batch_norm) == "batch_norm");
    CHECK(name_of(Activation::gelu_tanh) == "gelu_tanh");
    CHECK(value_of<Family>("gru", "family") == Family::gru);
    CHECK(value_of<Projections>("none", "projections") == Projections::none);
    CHECK(value_of<NormPlacement>("stream_first", "norm_placement") == NormPlacement::stream_first);
    CHECK(value_of<InputKind>("values", "input") == InputKind::values);
    CHECK(value_of<OutputKind>("classes", "output") == OutputKind::classes);
}

TEST_CASE("an error names the wrong field and the values that it allows") {
    CHECK(error_for([](json& j) { j["family"] = "mamba"; }) ==
          "config.json: \"family\" is \"mamba\"; it must be one of \"encoder\", \"decoder\", "
          "\"encoder_decoder\", \"rnn\", \"gru\"");
    CHECK(error_for([](json& j) { j["family"] = 1; }) == "config.json: \"family\" must be a string");
    CHECK(error_for([](json& j) { j.erase("dropout"); }) == "config.json: the field \"dropout\" is missing");
    CHECK(error_for([](json& j) { j["tied"] = "yes"; }) == "config.json: \"tied\" must be true or false");
    CHECK(error_for([](json& j) { j["attention"] = 4; }) == "config.json: \"attention\" must be an object");
    CHECK(error_for([](json& j) { j["attention"]["d_head"] = -1; }) == "config.json: \"d_head\" is out of range");
    CHECK(error_for([](json& j) { j["attention"]["slopes"] = 1; }).starts_with("config.json: \"slopes\" is not known"));
    CHECK(error_for([](json& j) { j["experts"] = 8; }).starts_with("config.json: \"experts\" is not known"));
    CHECK(error_for([](json& j) { j["n_ctx"] = 0; }).starts_with("config.json: n_ctx is 0"));
}
