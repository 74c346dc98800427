#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "core/io/checkpoint.h"

namespace glassformer {

/// True if Hugging Face's GPT-2 can compute what this model computes: a decoder of tokens with per-feature
/// pre-LayerNorm, learned positions, scaled attention with biases and three projections, GELU (exact or tanh) or ReLU,
/// and residual connections; tied or not. If not, `why`, if given, is set to the option that is the reason ("positions
/// is rotary; GPT-2's is learned").
bool is_gpt2_shaped(const TransformerConfig& config, std::string* why = nullptr);

/// GPT-2's model_type, the only family of Transformers that is written as well as read.
inline constexpr const char* gpt2_type = "gpt2";

/// config.json of such a model, with the fields of transformers.GPT2Config. `tokenizer` may be null; if it has the
/// token <|endoftext|>, that becomes bos_token_id and eos_token_id.
nlohmann::json gpt2_to_json(const TransformerConfig& config, const Tokenizer* tokenizer);

/// Writes a folder that Transformers can load with AutoModelForCausalLM.from_pretrained: config.json, model.safetensors
/// in float32, and the tokenizer's files if it has one. load_checkpoint reads it back. The old folder survives any
/// failure. Throws Error with the reason if the model is not GPT-2-shaped; also throws as write_folder_atomically does.
void save_hugging_face(const std::filesystem::path& folder, const Checkpoint& checkpoint);

/// A model in the Hugging Face cache.
struct CachedModel {
    std::string name;              // "HuggingFaceTB/SmolLM2-135M"
    std::filesystem::path folder;  // the snapshot named by its branch "main", else the newest one
};

/// The models of a cache (platform::hugging_face_hub()) whose snapshot has a config.json, sorted by name; empty if
/// there is no such folder. Reads only names, no models.
std::vector<CachedModel> models_in_hub(const std::filesystem::path& hub);
/// The name of the model in a snapshot's folder, which is itself called like a commit; empty for any other folder.
std::string name_in_hub(const std::filesystem::path& snapshot);

}  // namespace glassformer
