#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "core/nn/config.h"

namespace glassformer {

// TransformerConfig as the fields of config.json.

/// Every field under its C++ name, switches as words: {"family": "decoder", "attention": {"biases": true, …}, …}.
nlohmann::json config_to_json(const TransformerConfig& config);

/// The way back; `other_fields` are those of the object that are not the model's. Throws Error naming `file` and the
/// field that is missing, has another type, is out of range or unknown; and as validate() does.
TransformerConfig config_from_json(const nlohmann::json& object, const std::string& file,
                                   const std::vector<std::string>& other_fields);

/// The encoders that this program has made from its first version on, which have a shorter config.json of their own
/// (model_type "glassformer_encoder"), in GPT-2's words: whether this is one, its fields, and the way back.
bool is_plain_encoder(const TransformerConfig& config);
nlohmann::json encoder_to_json(const TransformerConfig& config);
TransformerConfig encoder_from_json(const nlohmann::json& object, const std::string& file);

/// validate(), with the file in the message.
void validate_in(const std::string& file, const TransformerConfig& config);

}  // namespace glassformer
