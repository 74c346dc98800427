#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "core/io/checkpoint.h"
#include "core/io/safetensors.h"

namespace glassformer {

/// Whether that is the name of a GGUF file, and no folder.
bool is_gguf_file(const std::filesystem::path& path);

/// Reads a model in one GGUF file: llama (Llama, Mistral), qwen2, qwen3, gemma, gemma3, gpt2, gptneox or bert, in F32,
/// F16, BF16 or Q8_0, with the tokenizer of its metadata. The model is the one of the Hugging Face folder that the file
/// was made from. Throws Error naming the file and what is wrong in it, as GgufFile, HuggingFaceConfig, restore() and
/// make_tokenizer() do.
Checkpoint load_gguf(const std::filesystem::path& file);

// GGUF, the format of llama.cpp's models (https://github.com/ggml-org/ggml, docs/gguf.md), versions 2 and 3, numbers
// little-endian:
//
//     "GGUF", u32 version, u64 number of tensors, u64 number of metadata
//     metadata     key (text), u32 type, value; a list: u32 type of its values, u64 how many; a text: u64 bytes, UTF-8
//     tensors      name (text), u32 number of axes, u64 for each the innermost first, u32 type of cells, u64 offset
//     the cells    from the next multiple of the alignment on (32, or "general.alignment"), which offsets count from

/// A file of tensors in F32, F16, BF16 or Q8_0, and what else it says of its model.
class GgufFile final : public MappedTensorFile {
public:
    /// Opens the file and reads all but the cells. Throws Error naming the file, and the key or the tensor where there
    /// is one: it is cut short, a count, a text or an offset reaches out of it, a name is there twice, a tensor has
    /// another type. What is allocated before is known to be in the file.
    explicit GgufFile(const std::filesystem::path& path);

    /// Values by their keys; lists hold texts, numbers or truth values.
    const nlohmann::json& metadata() const { return metadata_; }
    /// Null where there is no tensor of that name.
    const TensorEntry* find(const std::string& tensor) const;

private:
    nlohmann::json metadata_;
};

}  // namespace glassformer
