// GPT-2, GPT-NeoX (Pythia) and GPT-Neo (TinyStories).
#include "core/io/hugging_face_family.h"

namespace glassformer {

namespace {

TransformerConfig gpt2_config(HuggingFaceConfig& f) {
    for (const char* name : {"scale_attn_by_inverse_layer_idx", "reorder_and_upcast_attn", "add_cross_attention"})
        f.refuse_if_on(name);
    TransformerConfig c;
    c.family = Family::decoder;
    c.d_vocab = f.get<int>("vocab_size");
    c.n_ctx = f.get<int>(f.has("n_positions") || !f.has("n_ctx") ? "n_positions" : "n_ctx");
    c.d_model = f.get<int>("n_embd");
    c.n_heads = f.get<int>("n_head");
    c.n_layers = f.get<int>("n_layer");
    // Four times an out-of-range number would overflow; validate() reports the number itself.
    c.d_mlp = f.get_or("n_inner", c.d_model > (1 << 20) ? 1 : 4 * c.d_model);
    c.activation = f.activation("activation_function", "gelu_new", plain_activations());
    c.norm_epsilon = f.get_or("layer_norm_epsilon", 1e-5f);
    c.init_std = f.get_or("initializer_range", 0.02f);
    c.dropout = f.get_or("resid_pdrop", 0.1f);  // attn_pdrop, used only in training, has no counterpart here
    c.attention.scale = f.get_or("scale_attn_weights", true);
    c.tied = f.get_or("tie_word_embeddings", true);
    f.finish(c);
    return c;
}

/// Query, key and value are side by side in c_attn [d_model, 3·d_model].
TensorLayout gpt2_layout(const TransformerConfig& c) {
    TensorLayout list{{.name = "transformer.wte.weight", .parts = {"embed.W_E"}},
                      {.name = "transformer.wpe.weight", .parts = {"pos_embed.W_pos"}}};
    for (int layer = 0; layer < c.n_layers; ++layer) {
        const std::string number = std::to_string(layer);
        BlockTensors block(list, "transformer.h." + number, "blocks." + number, true);
        block.norm(".ln_1", "ln1", true);
        block.linear(".attn.c_attn", "attn", {"Q", "K", "V"}, true);
        block.linear(".attn.c_proj", "attn", {"O"}, true);
        block.norm(".ln_2", "ln2", true);
        block.linear(".mlp.c_fc", "mlp", {"in"}, true);
        block.linear(".mlp.c_proj", "mlp", {"out"}, true);
    }
    BlockTensors(list, "transformer", "").norm(".ln_f", "ln_final", true);
    add_unembedding(list, "lm_head.weight", c.tied);
    return list;
}

/// The prefix is optional; older files include the causal mask of the attention.
std::string transformer_name(const std::string& in_file, const std::string& attention) {
    const std::string name =
        in_file.starts_with("transformer.") || in_file == "lm_head.weight" ? in_file : "transformer." + in_file;
    for (const char* mask : {".bias", ".masked_bias"})
        if (is_of_layer(name, "transformer.h.", attention + mask)) return {};
    return name;
}

std::string gpt2_name(const std::string& in_file) { return transformer_name(in_file, ".attn"); }
std::string neo_name(const std::string& in_file) { return transformer_name(in_file, ".attn.attention"); }

TransformerConfig neox_config(HuggingFaceConfig& f) {
    TransformerConfig c;
    c.family = Family::decoder;
    c.positions = Positions::rotary;
    c.d_vocab = f.get<int>("vocab_size");
    c.d_model = f.get<int>("hidden_size");
    c.d_mlp = f.get<int>("intermediate_size");
    c.n_layers = f.get<int>("num_hidden_layers");
    c.n_heads = f.get<int>("num_attention_heads");
    c.n_ctx = f.get_or("max_position_embeddings", 2048);
    c.activation = f.activation("hidden_act", "gelu", plain_activations());
    c.norm_epsilon = f.get_or("layer_norm_eps", 1e-5f);
    c.init_std = f.get_or("initializer_range", 0.02f);
    c.rotary = f.rotary("full_attention", f.get_or("rotary_emb_base", 10000.0f));
    c.rotary_pct = f.get_or("rotary_pct", 0.25f);
    for (const char* name : {"rope_parameters", "rope_scaling"})
        if (f.has(name) && f[name].is_object() && f[name].contains("partial_rotary_factor") &&
            f[name]["partial_rotary_factor"].is_number())
            c.rotary_pct = f[name]["partial_rotary_factor"].get<float>();
    c.parallel = f.get_or("use_parallel_residual", true);
    c.attention.biases = f.get_or("attention_bias", true);
    c.tied = f.get_or("tie_word_embeddings", false);
    f.finish(c);
    return c;
}

TensorLayout neox_layout(const TransformerConfig& c) {
    TensorLayout list{{.name = "gpt_neox.embed_in.weight", .parts = {"embed.W_E"}}};
    for (int layer = 0; layer < c.n_layers; ++layer) {
        const std::string number = std::to_string(layer);
        BlockTensors block(list, "gpt_neox.layers." + number, "blocks." + number);
        block.norm(".input_layernorm", "ln1", true);
        block.norm(".post_attention_layernorm", "ln2", true);
        block.linear(".attention.query_key_value", "attn", {"Q", "K", "V"}, c.attention.biases, c.n_heads);
        block.linear(".attention.dense", "attn", {"O"}, c.output_bias());
        block.linear(".mlp.dense_h_to_4h", "mlp", {"in"}, true);
        block.linear(".mlp.dense_4h_to_h", "mlp", {"out"}, true);
    }
    BlockTensors(list, "gpt_neox", "").norm(".final_layer_norm", "ln_final", true);
    add_unembedding(list, "embed_out.weight", c.tied);
    return list;
}

/// Older files include masks and angles.
std::string neox_name(const std::string& in_file) {
    const std::string name =
        in_file.starts_with("gpt_neox.") || in_file == "embed_out.weight" ? in_file : "gpt_neox." + in_file;
    for (const char* extra : {".attention.bias", ".attention.masked_bias", ".attention.rotary_emb.inv_freq"})
        if (is_of_layer(name, "gpt_neox.layers.", extra)) return {};
    return name;
}

/// "attention_types" [[["global", "local"], 6]]: layer kinds, and how often to repeat them.
std::string neo_window_layers(HuggingFaceConfig& f, int n_layers) {
    if (!f.has("attention_types")) {
        std::string which;
        for (int layer = 0; layer < n_layers && layer < 1 << 10; ++layer) which += layer % 2 == 0 ? '-' : 'w';
        return which;
    }
    std::string which;
    bool right = f["attention_types"].is_array();
    if (right)
        for (const nlohmann::json& group : f["attention_types"]) {
            right = right && group.is_array() && group.size() == 2 && group[0].is_array() &&
                    group[1].is_number_unsigned() && group[1].get<std::uint64_t>() <= 1 << 10;
            for (std::uint64_t i = 0; right && i < group[1].get<std::uint64_t>(); ++i)
                for (const nlohmann::json& kind : group[0]) {
                    if (kind != "global" && kind != "local") right = false;
                    which += kind == "local" ? 'w' : '-';
                    if (which.size() > 1 << 10) right = false;
                }
        }
    if (!right || static_cast<int>(which.size()) != n_layers)
        f.refuse_field(
            "attention_types",
            "must say \"global\" or \"local\" for each of the {1} layers, as in [[[\"global\", \"local\"], 6]]",
            n_layers);
    return which;
}

TransformerConfig neo_config(HuggingFaceConfig& f) {
    TransformerConfig c;
    c.family = Family::decoder;
    c.d_vocab = f.get<int>("vocab_size");
    c.d_model = f.get<int>("hidden_size");
    c.n_layers = f.get<int>("num_layers");
    c.n_heads = f.get<int>("num_heads");
    c.n_ctx = f.get_or("max_position_embeddings", 2048);
    c.d_mlp = f.get_or("intermediate_size", c.d_model > (1 << 20) ? 1 : 4 * c.d_model);
    c.activation = f.activation("activation_function", "gelu_new", plain_activations());
    c.norm_epsilon = f.get_or("layer_norm_epsilon", 1e-5f);
    c.init_std = f.get_or("initializer_range", 0.02f);
    c.attention.scale = false;
    c.attention.biases = false;
    c.attention.output_bias = OutputBias::yes;
    const std::string which = neo_window_layers(f, c.n_layers);
    if (which.find('w') != std::string::npos) {
        c.attention.window = f.get_or("window_size", 256);
        c.attention.window_layers = which;
    }
    c.tied = f.get_or("tie_word_embeddings", true);
    f.finish(c);
    return c;
}

TensorLayout neo_layout(const TransformerConfig& c) {
    TensorLayout list{{.name = "transformer.wte.weight", .parts = {"embed.W_E"}},
                      {.name = "transformer.wpe.weight", .parts = {"pos_embed.W_pos"}}};
    for (int layer = 0; layer < c.n_layers; ++layer) {
        const std::string number = std::to_string(layer);
        BlockTensors block(list, "transformer.h." + number, "blocks." + number);
        block.norm(".ln_1", "ln1", true);
        block.linear(".attn.attention.q_proj", "attn", {"Q"}, false);
        block.linear(".attn.attention.k_proj", "attn", {"K"}, false);
        block.linear(".attn.attention.v_proj", "attn", {"V"}, false);
        block.linear(".attn.attention.out_proj", "attn", {"O"}, true);
        block.norm(".ln_2", "ln2", true);
        block.linear(".mlp.c_fc", "mlp", {"in"}, true);
        block.linear(".mlp.c_proj", "mlp", {"out"}, true);
    }
    BlockTensors(list, "transformer", "").norm(".ln_f", "ln_final", true);
    add_unembedding(list, "lm_head.weight", c.tied);
    return list;
}

}  // namespace

std::vector<HuggingFaceFamily> gpt_families() {
    return {{"gpt2", "GPT2LMHeadModel", gpt2_config, gpt2_layout, gpt2_name},
            {"gpt_neox", "GPTNeoXForCausalLM", neox_config, neox_layout, neox_name},
            {"gpt_neo", "GPTNeoForCausalLM", neo_config, neo_layout, neo_name}};
}

}  // namespace glassformer
