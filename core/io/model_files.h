#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/graph/graph.h"
#include "core/io/checkpoint.h"
#include "core/io/tensor_layout.h"

namespace glassformer {

// What every format of a model's folder has: config.json, model.safetensors and the tokenizer's files; for the files
// of core/io only.

/// A graph that declares the parameters of such a model.
std::shared_ptr<const Graph> parameter_graph(const TransformerConfig& config);

/// Writes the three into a folder that exists.
void write_model_files(const std::filesystem::path& folder, const Checkpoint& checkpoint, const nlohmann::json& config,
                       const Graph& graph, const TensorLayout& layout);

/// The tokenizer whose files are in the folder, or null where there are none.
std::shared_ptr<const Tokenizer> tokenizer_in(const std::filesystem::path& folder);

}  // namespace glassformer
