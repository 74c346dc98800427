#include "core/io/model_files.h"

#include "core/base/error.h"
#include "core/io/json_fields.h"
#include "core/io/world_file.h"
#include "core/nn/transformer.h"
#include "core/platform/atomic_file.h"
#include "core/text/tokenizer_files.h"

namespace glassformer {

namespace fs = std::filesystem;

namespace {

/// Whether the folder's config.json is one that save_checkpoint wrote: those from elsewhere name no world.
bool is_own_checkpoint(const fs::path& folder) {
    try {
        const nlohmann::json object = read_object(folder / "config.json");
        return object.contains("model_type") && object.contains("world");
    } catch (const Error&) {
        return false;
    }
}

}  // namespace

std::shared_ptr<const Graph> parameter_graph(const TransformerConfig& config) {
    return build_transformer(config, {1, 1, config.family == Family::encoder_decoder ? 1 : 0}).graph;
}

const FolderKind& checkpoint_files() {
    static const FolderKind kind = [] {
        FolderKind k{"a checkpoint",
                     {"config.json", "model.safetensors", "log.jsonl", "timeline.safetensors", world_file_name},
                     is_own_checkpoint};
        for (const std::string& name : tokenizer_file_names()) {
            k.files.push_back(name);
            k.files.push_back(std::string(source_folder) + "/" + name);
        }
        return k;
    }();
    return kind;
}

void write_model_files(const fs::path& folder, const Checkpoint& checkpoint, const nlohmann::json& config,
                       const Graph& graph, const TensorLayout& layout) {
    write_file_atomically(folder / "config.json", config.dump(2) + "\n");
    if (checkpoint.tokenizer) checkpoint.tokenizer->save_in(folder);
    if (checkpoint.source_tokenizer) {
        fs::create_directory(folder / source_folder);
        checkpoint.source_tokenizer->save_in(folder / source_folder);
    }
    Safetensors tensors = store(graph, layout, *checkpoint.parameters);
    tensors.metadata["format"] = "pt";
    write_safetensors(folder / "model.safetensors", tensors);
}

}  // namespace glassformer
