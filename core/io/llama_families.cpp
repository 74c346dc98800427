// Llama, and architectures that differ from it by a few switches: Mistral, Qwen2, Qwen3, Gemma, Gemma 3 (text).
#include <cmath>

#include "core/io/hugging_face_family.h"
#include "core/tensor/typed_matrix.h"

namespace glassformer {

namespace {

TransformerConfig shared_config(HuggingFaceConfig& f) {
    TransformerConfig c;
    c.family = Family::decoder;
    c.norm = NormKind::rms_norm;
    c.positions = Positions::rotary;
    c.d_vocab = f.get<int>("vocab_size");
    c.d_model = f.get<int>("hidden_size");
    c.d_mlp = f.get<int>("intermediate_size");
    c.n_layers = f.get<int>("num_hidden_layers");
    c.n_heads = f.get<int>("num_attention_heads");
    c.n_ctx = f.get_or("max_position_embeddings", 2048);
    const int key_heads = f.get_or("num_key_value_heads", c.n_heads);
    c.attention.n_key_value_heads = key_heads == c.n_heads ? 0 : key_heads;
    const int d_head = f.get_or("head_dim", 0);
    c.attention.d_head = c.n_heads > 0 && d_head == c.d_model / c.n_heads && c.d_model % c.n_heads == 0 ? 0 : d_head;
    c.norm_epsilon = f.get_or("rms_norm_eps", 1e-6f);
    c.init_std = f.get_or("initializer_range", 0.02f);
    c.tied = f.get_or("tie_word_embeddings", false);
    c.attention.biases = false;
    return c;
}

TransformerConfig silu_config(HuggingFaceConfig& f) {
    TransformerConfig c = shared_config(f);
    c.activation = f.activation("hidden_act", "silu", {{"silu", Activation::swiglu}, {"swish", Activation::swiglu}});
    c.rotary = f.rotary("full_attention", 10000.0f);
    c.rotary_pct = f.get_or("partial_rotary_factor", 1.0f);
    f.refuse_if_on("mlp_bias");
    return c;
}

TransformerConfig llama_config(HuggingFaceConfig& f) {
    TransformerConfig c = silu_config(f);
    c.attention.biases = f.get_or("attention_bias", false);
    if (f.get_or("pretraining_tp", 1) > 1) f.refuse_field("pretraining_tp", "is above 1, which is not supported");
    f.finish(c);
    return c;
}

TransformerConfig mistral_config(HuggingFaceConfig& f) {
    TransformerConfig c = silu_config(f);
    c.attention.window = f.get_or("sliding_window", 0);
    if (c.attention.window >= c.n_ctx) c.attention.window = 0;
    f.finish(c);
    return c;
}

/// The layers with a sliding window, from "layer_types", which must list all n_layers layers.
std::string layers_with_window(HuggingFaceConfig& f, int n_layers) {
    const nlohmann::json& types = f["layer_types"];
    std::string which;
    if (types.is_array())
        for (const nlohmann::json& type : types) {
            if (type == "sliding_attention")
                which += 'w';
            else if (type == "full_attention")
                which += '-';
        }
    if (!types.is_array() || which.size() != types.size() || static_cast<int>(which.size()) != n_layers)
        f.refuse_field("layer_types", "must say \"full_attention\" or \"sliding_attention\" for each of the {1} layers",
                       n_layers);
    return which;
}

TransformerConfig qwen_config(HuggingFaceConfig& f) {
    TransformerConfig c = silu_config(f);
    if (f.get_or("use_sliding_window", false)) {
        c.attention.window = f.get_or("sliding_window", 4096);
        const int from = f.get_or("max_window_layers", 28);
        if (f.has("layer_types"))
            c.attention.window_layers = layers_with_window(f, c.n_layers);
        else
            for (int layer = 0; layer < std::min(c.n_layers, 1 << 10); ++layer)
                c.attention.window_layers += layer >= from ? 'w' : '-';
    }
    return c;
}

TransformerConfig qwen2_config(HuggingFaceConfig& f) {
    TransformerConfig c = qwen_config(f);
    c.attention.biases = true;
    c.attention.output_bias = OutputBias::no;
    f.finish(c);
    return c;
}

TransformerConfig qwen3_config(HuggingFaceConfig& f) {
    TransformerConfig c = qwen_config(f);
    if (!f.has("head_dim")) c.attention.d_head = 128;
    c.attention.biases = f.get_or("attention_bias", false);
    c.attention.qk_norm = true;
    f.finish(c);
    return c;
}

/// √d, rounded as weights of that type store it.
float rounded_root(int d_model, const std::string& type) {
    const float root = std::sqrt(static_cast<float>(d_model));
    if (type != "bfloat16") return root;
    const auto bits = std::bit_cast<std::uint32_t>(root);
    return float_from_bfloat16(static_cast<std::uint16_t>((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16));
}

TransformerConfig gemma3_config(HuggingFaceConfig& f) {
    TransformerConfig c = shared_config(f);
    c.activation =
        f.activation("hidden_activation", "gelu_pytorch_tanh", {{"gelu_pytorch_tanh", Activation::geglu_tanh}});
    c.norm_placement = NormPlacement::pre_and_post;
    c.tied = f.get_or("tie_word_embeddings", true);
    c.attention.biases = f.get_or("attention_bias", false);
    c.attention.qk_norm = true;
    if (!f.has("head_dim")) c.attention.d_head = 256;
    const int scalar = f.get_or("query_pre_attn_scalar", 256);
    c.attention.scale_width = scalar == c.d_head() ? 0 : scalar;
    c.attention.window = f.get_or("sliding_window", 4096);
    if (f.has("layer_types")) {
        c.attention.window_layers = layers_with_window(f, c.n_layers);
    } else {
        const int period =
            f.get_or(f.has("sliding_window_pattern") ? "sliding_window_pattern" : "_sliding_window_pattern", 6);
        if (period < 1 || period > 1 << 10)
            f.refuse_field("sliding_window_pattern", "is out of range");
        else
            c.attention.window_layers = std::string(static_cast<std::size_t>(period) - 1, 'w') + "-";
    }
    c.rotary = f.rotary("full_attention", 1000000.0f);
    c.rotary_window_base = f.get_or("rope_local_base_freq", 10000.0f);
    if (f.has("rope_parameters")) c.rotary_window_base = f.rotary("sliding_attention", c.rotary_window_base).base;
    c.embedding_scale = c.d_model > 0 ? rounded_root(c.d_model, f.weight_type()) : 1.0f;
    for (const char* name : {"attn_logit_softcapping", "final_logit_softcapping"})
        if (f.has(name)) f.refuse_field(name, "is set, which is not supported");
    f.refuse_if_on("use_bidirectional_attention");
    f.finish(c);
    return c;
}

/// The first Gemma: its files' "hidden_act" says gelu, but it was trained with the tanh version.
TransformerConfig gemma_config(HuggingFaceConfig& f) {
    TransformerConfig c = shared_config(f);
    c.activation = f.activation(f.has("hidden_activation") ? "hidden_activation" : "hidden_act", "gelu_pytorch_tanh",
                                {{"gelu", Activation::geglu_tanh}, {"gelu_pytorch_tanh", Activation::geglu_tanh}});
    c.tied = f.get_or("tie_word_embeddings", true);
    c.attention.biases = f.get_or("attention_bias", false);
    if (!f.has("head_dim")) c.attention.d_head = 256;
    c.rotary = f.rotary("full_attention", 10000.0f);
    c.embedding_scale = c.d_model > 0 ? rounded_root(c.d_model, f.weight_type()) : 1.0f;
    f.finish(c);
    return c;
}

/// `added`: 1 if the files store a norm's γ minus 1.
TensorLayout layout_with(const TransformerConfig& c, float added) {
    TensorLayout list{{.name = "model.embed_tokens.weight", .parts = {"embed.W_E"}}};
    const bool twice = c.norm_placement == NormPlacement::pre_and_post;
    for (int layer = 0; layer < c.n_layers; ++layer) {
        const std::string number = std::to_string(layer);
        BlockTensors block(list, "model.layers." + number, "blocks." + number);
        block.norm(".input_layernorm", "ln1", false, added);
        block.linear(".self_attn.q_proj", "attn", {"Q"}, c.attention.biases);
        block.linear(".self_attn.k_proj", "attn", {"K"}, c.attention.biases);
        block.linear(".self_attn.v_proj", "attn", {"V"}, c.attention.biases);
        block.linear(".self_attn.o_proj", "attn", {"O"}, c.output_bias());
        if (c.attention.qk_norm) {
            block.norm(".self_attn.q_norm", "attn.q_norm", false, added);
            block.norm(".self_attn.k_norm", "attn.k_norm", false, added);
        }
        block.norm(".post_attention_layernorm", twice ? "ln1_post" : "ln2", false, added);
        if (twice) {
            block.norm(".pre_feedforward_layernorm", "ln2", false, added);
            block.norm(".post_feedforward_layernorm", "ln2_post", false, added);
        }
        block.linear(".mlp.gate_proj", "mlp", {"gate"}, false);
        block.linear(".mlp.up_proj", "mlp", {"in"}, false);
        block.linear(".mlp.down_proj", "mlp", {"out"}, false);
    }
    list.push_back({.name = "model.norm.weight", .parts = {"ln_final.w"}, .added = added});
    add_unembedding(list, "lm_head.weight", c.tied);
    return list;
}

TensorLayout layout(const TransformerConfig& c) { return layout_with(c, 0.0f); }
TensorLayout gemma_layout(const TransformerConfig& c) { return layout_with(c, 1.0f); }

std::string name(const std::string& in_file) {
    if (in_file.ends_with("rotary_emb.inv_freq")) return {};
    return in_file.starts_with("model.") || in_file == "lm_head.weight" ? in_file : "model." + in_file;
}

}  // namespace

std::vector<HuggingFaceFamily> llama_families() {
    return {{"llama", "LlamaForCausalLM", llama_config, layout, name},
            {"mistral", "MistralForCausalLM", mistral_config, layout, name},
            {"qwen2", "Qwen2ForCausalLM", qwen2_config, layout, name},
            {"qwen3", "Qwen3ForCausalLM", qwen3_config, layout, name},
            {"gemma", "GemmaForCausalLM", gemma_config, gemma_layout, name},
            {"gemma3_text", "Gemma3ForCausalLM", gemma3_config, gemma_layout, name}};
}

}  // namespace glassformer
