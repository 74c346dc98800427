#include "core/io/config_json.h"

#include "core/base/error.h"
#include "core/io/json_fields.h"

namespace glassformer {

using nlohmann::json;

json config_to_json(const TransformerConfig& config) {
    if (!config.attention.causal_mask) throw Error("a model whose causal mask is off cannot be saved");
    return fields_to_json(config);
}

TransformerConfig config_from_json(const json& object, const std::string& file,
                                   const std::vector<std::string>& other_fields) {
    TransformerConfig config;
    read_fields(object, file, config, &other_fields);
    validate_in(file, config);
    return config;
}

bool is_plain_encoder(const TransformerConfig& config) {
    TransformerConfig plain;
    plain.d_vocab = config.d_vocab;
    plain.n_ctx = config.n_ctx;
    plain.d_model = config.d_model;
    plain.n_heads = config.n_heads;
    plain.n_layers = config.n_layers;
    plain.d_mlp = config.d_mlp;
    plain.norm_epsilon = config.norm_epsilon;
    plain.init_std = config.init_std;
    return plain == config;
}

json encoder_to_json(const TransformerConfig& config) {
    return {{"activation_function", "gelu"},
            {"tie_word_embeddings", true},
            {"vocab_size", config.d_vocab},
            {"n_positions", config.n_ctx},
            {"n_embd", config.d_model},
            {"n_head", config.n_heads},
            {"n_layer", config.n_layers},
            {"n_inner", config.d_mlp},
            {"layer_norm_epsilon", config.norm_epsilon},
            {"initializer_range", config.init_std}};
}

TransformerConfig encoder_from_json(const json& object, const std::string& file) {
    TransformerConfig config;
    config.d_vocab = field<int>(object, "vocab_size", file);
    config.n_ctx = field<int>(object, "n_positions", file);
    config.d_model = field<int>(object, "n_embd", file);
    config.n_heads = field<int>(object, "n_head", file);
    config.n_layers = field<int>(object, "n_layer", file);
    config.d_mlp = field<int>(object, "n_inner", file);
    config.norm_epsilon = field<float>(object, "layer_norm_epsilon", file);
    config.init_std = field<float>(object, "initializer_range", file);
    validate_in(file, config);
    return config;
}

void validate_in(const std::string& file, const TransformerConfig& config) {
    try {
        validate(config);
    } catch (const Error& e) {
        throw Error("{1}: {2}", file, e.what());
    }
}

}  // namespace glassformer
