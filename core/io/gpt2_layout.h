#pragma once

#include <string>

#include "core/io/tensor_layout.h"
#include "core/nn/config.h"

namespace glassformer {

/// Our parameters as GPT-2's tensors in Hugging Face's names and layout: transformer.wte.weight,
/// transformer.h.0.attn.c_attn.weight [d_model, 3·d_model] (query, key and value side by side), … An unembedding of its
/// own is lm_head.weight [d_vocab, d_model], ours transposed; a tied one has no tensor of its own.
TensorLayout gpt2_layout(const TransformerConfig& config);

/// The layout's name for a tensor of a file, where the prefix "transformer." may be left out; empty for the causal mask
/// that older files carry along (attn.bias, attn.masked_bias).
std::string gpt2_name(const std::string& in_file);

}  // namespace glassformer
