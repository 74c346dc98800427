#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/graph/graph.h"
#include "core/io/checkpoint.h"
#include "core/io/tensor_layout.h"
#include "core/platform/atomic_file.h"

namespace glassformer {

// What every format of a model's folder has: config.json, model.safetensors and the tokenizer's files; for the files
// of core/io only.

/// A graph that declares the parameters of such a model.
std::shared_ptr<const Graph> parameter_graph(const TransformerConfig& config);

/// Writes the three into a folder that exists.
void write_model_files(const std::filesystem::path& folder, const Checkpoint& checkpoint, const nlohmann::json& config,
                       const Graph& graph, const TensorLayout& layout);

/// The files of a checkpoint, all that may be taken away when it is replaced.
const FolderKind& checkpoint_files();

/// Where the tokenizer of a translation's source language lies, in the model's folder.
inline constexpr const char* source_folder = "source";

}  // namespace glassformer
