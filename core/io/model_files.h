#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "core/graph/graph.h"
#include "core/io/checkpoint.h"
#include "core/io/tensor_layout.h"
#include "core/nn/config.h"
#include "core/platform/atomic_file.h"
#include "core/train/task.h"

namespace glassformer {

/// world.json, beside config.json or run.json: the world of one's own that a model was trained on. A world that comes
/// with the program has none: it is found by its name.
inline constexpr const char* world_file_name = "world.json";

/// Writes it into a folder that exists. Throws Error as write_file_atomically does.
void write_world(const std::filesystem::path& folder, const WorldSource& source);
/// Null where the folder has none. Throws Error naming the file, the field and what is wrong with it.
std::shared_ptr<const WorldSource> read_world(const std::filesystem::path& folder);

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
