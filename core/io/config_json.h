#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "core/nn/config.h"

namespace glassformer {

// TransformerConfig as fields of config.json.

/// Every field under its C++ name, enums as words: {"family": "decoder", "attention": {"biases": true, …}, …}.
nlohmann::json config_to_json(const TransformerConfig& config);

/// The inverse; `other_fields` lists the object's fields that are not the model's. Throws Error naming `file` and a
/// field that is missing, unknown, of the wrong type or out of range; also throws as validate() does.
TransformerConfig config_from_json(const nlohmann::json& object, const std::string& file,
                                   const std::vector<std::string>& other_fields);

/// The encoders that this program has made since its first version. They have a shorter config.json of their own
/// (model_type "glassformer_encoder") in GPT-2's terms: whether a model is one, its fields, and the inverse.
bool is_plain_encoder(const TransformerConfig& config);
nlohmann::json encoder_to_json(const TransformerConfig& config);
TransformerConfig encoder_from_json(const nlohmann::json& object, const std::string& file);

/// validate() with the file in the error message.
void validate_in(const std::string& file, const TransformerConfig& config);

}  // namespace glassformer
