#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/io/safetensors.h"
#include "core/nn/config.h"

namespace glassformer {

/// Our parameters as GPT-2's tensors in Hugging Face's names and layout: transformer.wte.weight,
/// transformer.h.0.attn.c_attn.weight [d_model, 3·d_model] (query, key and value side by side), … The unembedding is
/// tied, so it has no tensor of its own.
Safetensors to_gpt2(const TransformerConfig& config, std::span<const float> parameters);

/// The way back. Throws Error naming `file` and every tensor that is missing, has another shape, or is not known.
std::vector<float> from_gpt2(const TransformerConfig& config, const Safetensors& tensors, const std::string& file);

}  // namespace glassformer
