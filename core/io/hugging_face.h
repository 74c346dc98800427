#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "core/io/checkpoint.h"

namespace glassformer {

/// Whether Hugging Face's GPT-2 can compute what this model computes: a decoder of words, with pre-LayerNorm per
/// feature, learned positions, scaled attention with biases and three projections, GELU (exact or tanh) or ReLU, and
/// residuals; tied or not. When it cannot and `why` is given, that becomes the option that is the reason
/// ("positions is rotary; GPT-2's is learned").
bool is_gpt2_shaped(const TransformerConfig& config, std::string* why = nullptr);

/// model_type of GPT-2, the one family of Transformers that is written as well as read.
inline constexpr const char* gpt2_type = "gpt2";

/// config.json of such a model, the fields of transformers.GPT2Config. `tokenizer` may be null; <|endoftext|>, where it
/// has that token, becomes bos_token_id and eos_token_id.
nlohmann::json gpt2_to_json(const TransformerConfig& config, const Tokenizer* tokenizer);

/// Writes a folder that Transformers loads with AutoModelForCausalLM.from_pretrained: config.json, model.safetensors
/// in float32, and the files of the tokenizer where there is one. The way back is load_checkpoint. The old folder
/// survives any failure. Throws Error with the reason when the model is not GPT-2-shaped, and as
/// write_folder_atomically does.
void save_hugging_face(const std::filesystem::path& folder, const Checkpoint& checkpoint);

/// A model in the cache of Hugging Face's programs.
struct CachedModel {
    std::string name;              // "HuggingFaceTB/SmolLM2-135M"
    std::filesystem::path folder;  // the snapshot that its branch "main" names, else the newest one
};

/// The models of a cache (platform::hugging_face_hub()) whose snapshot has a config.json, by name; none where there is
/// no such folder. Only names are read, no model.
std::vector<CachedModel> models_in_hub(const std::filesystem::path& hub);

}  // namespace glassformer
