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

/// Where a folder holds the parameters of a model.
struct FolderLayout {
    TensorLayout layout;  ///< by the names that its files give their tensors
    std::vector<std::string> files;
};
/// Of a folder that load_checkpoint() reads, whoever wrote it; its cells are not read. Throws Error as
/// load_checkpoint() does, and where the folder holds other parameters than the graph's.
FolderLayout layout_in(const std::filesystem::path& folder, const Graph& graph);

}  // namespace glassformer
