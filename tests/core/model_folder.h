#pragma once

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "core/base/error.h"
#include "core/base/rng.h"
#include "core/io/safetensors.h"
#include "tests/core/error_of.h"

namespace glassformer {

// A very small GPT-2 as Hugging Face would write it, made by hand, for the tests of its readers.

inline constexpr int gpt2_vocab = 7, gpt2_ctx = 5, gpt2_width = 8, gpt2_layers = 2;

inline nlohmann::json gpt2_config() {
    return {{"model_type", "gpt2"}, {"vocab_size", gpt2_vocab}, {"n_positions", gpt2_ctx}, {"n_embd", gpt2_width},
            {"n_head", 2},          {"n_layer", gpt2_layers},   {"n_inner", nullptr},      {"resid_pdrop", 0.0}};
}

/// Returns its tensors. Their values are exact in bfloat16 and binary16: k/128 with |k| ≤ 127.
inline Safetensors gpt2_tensors(const std::string& prefix = "transformer.") {
    Safetensors file;
    Rng rng(5, 0);
    const auto add = [&](const std::string& name, const Shape& shape) {
        Tensor tensor(shape);
        for (float& value : tensor.values()) value = static_cast<float>(rng.below(255)) / 128.0f - 127.0f / 128.0f;
        file.tensors.push_back({prefix + name, std::move(tensor)});
    };
    const std::int64_t d = gpt2_width;
    add("wte.weight", {gpt2_vocab, d});
    add("wpe.weight", {gpt2_ctx, d});
    for (int layer = 0; layer < gpt2_layers; ++layer) {
        const std::string block = "h." + std::to_string(layer) + ".";
        add(block + "ln_1.weight", {d});
        add(block + "ln_1.bias", {d});
        add(block + "attn.c_attn.weight", {d, 3 * d});
        add(block + "attn.c_attn.bias", {3 * d});
        add(block + "attn.c_proj.weight", {d, d});
        add(block + "attn.c_proj.bias", {d});
        add(block + "ln_2.weight", {d});
        add(block + "ln_2.bias", {d});
        add(block + "mlp.c_fc.weight", {d, 4 * d});
        add(block + "mlp.c_fc.bias", {4 * d});
        add(block + "mlp.c_proj.weight", {4 * d, d});
        add(block + "mlp.c_proj.bias", {d});
    }
    add("ln_f.weight", {d});
    add("ln_f.bias", {d});
    return file;
}

inline void write_text(const std::filesystem::path& file, const std::string& text) {
    std::ofstream(file, std::ios::binary) << text;
}

/// Writes config.json and model.safetensors into a new folder.
inline void write_gpt2(const std::filesystem::path& folder, const nlohmann::json& config = gpt2_config(),
                       const Safetensors& tensors = gpt2_tensors()) {
    std::filesystem::create_directories(folder);
    write_text(folder / "config.json", config.dump());
    write_safetensors(folder / "model.safetensors", tensors);
}

}  // namespace glassformer
