#include "core/io/model_files.h"

#include "core/io/atomic_file.h"
#include "core/nn/transformer.h"

namespace glassformer {

namespace fs = std::filesystem;

std::shared_ptr<const Graph> parameter_graph(const TransformerConfig& config) {
    return build_transformer(config, {1, 1, config.family == Family::encoder_decoder ? 1 : 0}).graph;
}

void write_model_files(const fs::path& folder, const Checkpoint& checkpoint, const nlohmann::json& config,
                       const Graph& graph, const TensorLayout& layout) {
    write_file_atomically(folder / "config.json", config.dump(2) + "\n");
    if (checkpoint.tokenizer) checkpoint.tokenizer->save_in(folder);
    Safetensors tensors = store(graph, layout, *checkpoint.parameters);
    tensors.metadata["format"] = "pt";
    write_safetensors(folder / "model.safetensors", tensors);
}

std::shared_ptr<const Tokenizer> tokenizer_in(const fs::path& folder) {
    if (!fs::exists(folder / "vocab.txt")) return nullptr;
    return std::make_shared<WordTokenizer>(WordTokenizer::load(folder / "vocab.txt"));
}

}  // namespace glassformer
