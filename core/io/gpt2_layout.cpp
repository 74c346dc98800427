#include "core/io/gpt2_layout.h"

#include <cstdio>

namespace glassformer {

TensorLayout gpt2_layout(const TransformerConfig& config) {
    TensorLayout list;
    const auto add = [&](const std::string& name, const std::vector<std::string>& parts) {
        list.push_back({.name = "transformer." + name, .parts = parts});
    };
    add("wte.weight", {"embed.W_E"});
    add("wpe.weight", {"pos_embed.W_pos"});
    for (int layer = 0; layer < config.n_layers; ++layer) {
        const std::string theirs = "h." + std::to_string(layer), ours = "blocks." + std::to_string(layer);
        const auto both = [&](const std::string& name, const std::vector<std::string>& weights,
                              const std::vector<std::string>& biases) {
            add(theirs + name + ".weight", weights);
            add(theirs + name + ".bias", biases);
        };
        both(".ln_1", {ours + ".ln1.w"}, {ours + ".ln1.b"});
        both(".attn.c_attn", {ours + ".attn.W_Q", ours + ".attn.W_K", ours + ".attn.W_V"},
             {ours + ".attn.b_Q", ours + ".attn.b_K", ours + ".attn.b_V"});
        both(".attn.c_proj", {ours + ".attn.W_O"}, {ours + ".attn.b_O"});
        both(".ln_2", {ours + ".ln2.w"}, {ours + ".ln2.b"});
        both(".mlp.c_fc", {ours + ".mlp.W_in"}, {ours + ".mlp.b_in"});
        both(".mlp.c_proj", {ours + ".mlp.W_out"}, {ours + ".mlp.b_out"});
    }
    add("ln_f.weight", {"ln_final.w"});
    add("ln_f.bias", {"ln_final.b"});
    if (config.tied)
        list.push_back({.name = "lm_head.weight", .parts = {"embed.W_E"}, .repeated = true});
    else
        list.push_back({.name = "lm_head.weight", .parts = {"unembed.W_U"}, .transposed = true});
    return list;
}

std::string gpt2_name(const std::string& in_file) {
    const std::string name =
        in_file.starts_with("transformer.") || in_file == "lm_head.weight" ? in_file : "transformer." + in_file;
    int used = 0;
    if (std::sscanf(name.c_str(), "transformer.h.%*9d.attn.%n", &used) == 0 && used > 0) {
        const std::string rest = name.substr(used);
        if (rest == "bias" || rest == "masked_bias") return {};
    }
    return name;
}

}  // namespace glassformer
