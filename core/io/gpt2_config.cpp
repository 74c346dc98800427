#include "core/io/gpt2_config.h"

#include <array>
#include <utility>

#include "core/io/config_json.h"
#include "core/io/json_fields.h"

namespace glassformer {

namespace {

using nlohmann::json;

/// Transformers' names; the first of an activation is the one that is written.
constexpr std::array<std::pair<const char*, Activation>, 4> activations{{{"gelu_new", Activation::gelu_tanh},
                                                                         {"gelu_pytorch_tanh", Activation::gelu_tanh},
                                                                         {"gelu", Activation::gelu},
                                                                         {"relu", Activation::relu}}};

const char* activation_name(Activation activation) {
    for (const auto& [name, value] : activations)
        if (value == activation) return name;
    throw Error("GPT-2 has no such activation");
}

Activation read_activation(const json& object, const std::string& file) {
    const auto name = field_or<std::string>(object, "activation_function", "gelu_new", file);
    for (const auto& [known, value] : activations)
        if (name == known) return value;
    fail_in_field(file, "activation_function",
                  "is \"" + name + "\"; those known are gelu_new, gelu_pytorch_tanh, gelu and relu");
}

void refuse_unsupported(const json& object, const std::string& file) {
    for (const char* name : {"scale_attn_by_inverse_layer_idx", "reorder_and_upcast_attn", "add_cross_attention"})
        if (field_or(object, name, false, file)) fail_in_field(file, name, "is true, which is not supported");
    if (has_field(object, "quantization_config"))
        fail_in_field(file, "quantization_config", "is there; quantized weights are not supported");
}

json end_of_text(const Tokenizer* tokenizer) {
    if (tokenizer)
        for (int id = tokenizer->size() - 1; id >= 0; --id)
            if (tokenizer->token_text(id) == "<|endoftext|>") return id;
    return nullptr;
}

}  // namespace

json gpt2_to_json(const TransformerConfig& config, const Tokenizer* tokenizer) {
    const json end = end_of_text(tokenizer);
    return {{"model_type", "gpt2"},
            {"architectures", {"GPT2LMHeadModel"}},
            {"vocab_size", config.d_vocab},
            {"n_positions", config.n_ctx},
            {"n_embd", config.d_model},
            {"n_head", config.n_heads},
            {"n_layer", config.n_layers},
            {"n_inner", config.d_mlp},
            {"activation_function", activation_name(config.activation)},
            {"layer_norm_epsilon", shortest(config.norm_epsilon)},
            {"initializer_range", shortest(config.init_std)},
            {"embd_pdrop", shortest(config.dropout)},
            {"resid_pdrop", shortest(config.dropout)},
            {"attn_pdrop", 0.0},
            {"scale_attn_weights", true},
            {"tie_word_embeddings", config.tied},
            {"bos_token_id", end},
            {"eos_token_id", end},
            {"torch_dtype", "float32"}};
}

TransformerConfig gpt2_from_json(const json& object, const std::string& file) {
    refuse_unsupported(object, file);
    TransformerConfig config;
    config.family = Family::decoder;
    config.d_vocab = field<int>(object, "vocab_size", file);
    config.n_ctx = has_field(object, "n_positions") || !has_field(object, "n_ctx")
                       ? field<int>(object, "n_positions", file)
                       : field<int>(object, "n_ctx", file);
    config.d_model = field<int>(object, "n_embd", file);
    config.n_heads = field<int>(object, "n_head", file);
    config.n_layers = field<int>(object, "n_layer", file);
    // Four times a number beyond the bounds would overflow; validate() names the number itself.
    config.d_mlp = field_or(object, "n_inner", config.d_model > (1 << 20) ? 1 : 4 * config.d_model, file);
    config.activation = read_activation(object, file);
    config.norm_epsilon = field_or(object, "layer_norm_epsilon", 1e-5f, file);
    config.init_std = field_or(object, "initializer_range", 0.02f, file);
    config.dropout = field_or(object, "resid_pdrop", 0.1f, file);
    config.attention.scale = field_or(object, "scale_attn_weights", true, file);
    config.tied = field_or(object, "tie_word_embeddings", true, file);
    validate_in(file, config);
    return config;
}

}  // namespace glassformer
