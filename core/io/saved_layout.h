#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "core/io/tensor_layout.h"
#include "core/nn/config.h"

namespace glassformer {

/// Which tensors save_checkpoint() writes of a model. `of_words`: its tokenizer is one of whole words.
TensorLayout saved_layout(const TransformerConfig& config, bool of_words, const Graph& graph);

/// How a program in Python reads each parameter from them, where `w` holds the file's arrays by name:
/// "blocks.0.attn.W_Q" → w["transformer.h.0.attn.c_attn.weight"][:, 0:64].
std::map<std::string, std::string> parameters_in_python(const Graph& graph, const TensorLayout& layout);

/// Whether a model.safetensors holds these tensors as float32, as save_checkpoint() writes them; false for a file that
/// is not there or cannot be read.
bool holds_layout(const std::filesystem::path& file, const TensorLayout& layout);

}  // namespace glassformer
