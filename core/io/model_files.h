#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "core/io/checkpoint.h"
#include "core/io/tensor_layout.h"
#include "core/nn/transformer.h"
#include "core/platform/atomic_file.h"
#include "core/train/task.h"

namespace glassformer {

/// world.json, beside config.json or run.json: the user's own world that a model was trained on. A built-in world has
/// no such file: it is found by name.
inline constexpr const char* world_file_name = "world.json";

/// Writes world.json into an existing folder. Throws Error as write_file_atomically does.
void write_world(const std::filesystem::path& folder, const WorldSource& source);
/// Null if the folder has none. Throws Error naming the file, the field and what is wrong with it.
std::shared_ptr<const WorldSource> read_world(const std::filesystem::path& folder);

// What all formats of a model's folder share: config.json, model.safetensors and the tokenizer's files; for use in
// core/io only.

/// Writes config.json, model.safetensors and the tokenizer's files into an existing folder.
void write_model_files(const std::filesystem::path& folder, const Checkpoint& checkpoint, const nlohmann::json& config,
                       const Graph& graph, const TensorLayout& layout);

/// The files of a checkpoint: only these may be removed when it is replaced.
const FolderKind& checkpoint_files();

/// The subfolder of a model's folder with the tokenizer of a translation's source language.
inline constexpr const char* source_folder = "source";

/// The tensors that save_checkpoint() writes for a model. `of_words`: it has a word tokenizer.
TensorLayout saved_layout(const TransformerConfig& config, bool of_words, const Graph& graph);

/// Python code that gets each parameter from those tensors, where `w` maps tensor names to arrays: "blocks.0.attn.W_Q"
/// → w["transformer.h.0.attn.c_attn.weight"][:, 0:64].
std::map<std::string, std::string> parameters_in_python(const Graph& graph, const TensorLayout& layout);

/// Where a folder stores a model's parameters.
struct FolderLayout {
    TensorLayout layout;  ///< with the files' own tensor names
    std::vector<std::string> files;
};
/// For any folder that load_checkpoint() can read; does not read the cells. Throws Error as load_checkpoint() does, and
/// if the folder's parameters differ from the graph's.
FolderLayout layout_in(const std::filesystem::path& folder, const Graph& graph);

}  // namespace glassformer
