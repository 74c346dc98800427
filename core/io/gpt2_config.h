#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "core/nn/config.h"
#include "core/text/tokenizer.h"

namespace glassformer {

// The config.json of Hugging Face's GPT-2 (fields of transformers.GPT2Config); for the files of core/io only.

/// Its fields for a model that is_gpt2_shaped. `tokenizer` may be null; <|endoftext|>, where it has that token, becomes
/// bos_token_id and eos_token_id.
nlohmann::json gpt2_to_json(const TransformerConfig& config, const Tokenizer* tokenizer);

/// The model that they describe. What a file may leave out has the default of Transformers. attn_pdrop, which only
/// training would use, has no counterpart here; dropout is resid_pdrop. Throws Error naming `file` and the field that
/// is missing, out of range, or asks for something that is not supported.
TransformerConfig gpt2_from_json(const nlohmann::json& object, const std::string& file);

}  // namespace glassformer
