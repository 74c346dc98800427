#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "core/io/checkpoint.h"
#include "core/io/safetensors.h"

namespace glassformer {

/// True if the path has a GGUF file's name and is not a folder.
bool is_gguf_file(const std::filesystem::path& path);

/// Reads a model from a single GGUF file: llama (Llama, Mistral), qwen2, qwen3, gemma, gemma3, gpt2, gptneox or bert,
/// in F32, F16, BF16 or Q8_0, with the tokenizer from its metadata. The result equals the model of the Hugging Face
/// folder that the file was converted from. Throws Error naming the file and what is wrong in it, as GgufFile,
/// HuggingFaceConfig, restore() and make_tokenizer() do.
Checkpoint load_gguf(const std::filesystem::path& file);

// GGUF, the format of llama.cpp's models (https://github.com/ggml-org/ggml, docs/gguf.md), versions 2 and 3, numbers
// little-endian:
//
//     "GGUF", u32 version, u64 number of tensors, u64 number of metadata entries
//     metadata     key (text), u32 type, value; a list: u32 element type, u64 length; a text: u64 bytes, UTF-8
//     tensors      name (text), u32 number of axes, u64 size of each, innermost first, u32 cell type, u64 offset
//     the cells    from the next multiple of the alignment (32, or "general.alignment"), where offsets begin

/// A GGUF file: tensors in F32, F16, BF16 or Q8_0, and the model's metadata.
class GgufFile final : public MappedTensorFile {
public:
    /// Opens the file and reads everything but the cells. Throws Error naming the file and, where possible, the key or
    /// tensor: the file is truncated; a count, a text or an offset exceeds it; a name occurs twice; a tensor has
    /// another type. Never allocates for data that the file is too short to contain.
    explicit GgufFile(const std::filesystem::path& path);

    /// Values by key; lists contain texts, numbers or booleans.
    const nlohmann::json& metadata() const { return metadata_; }
    /// Null if there is no tensor of that name.
    const TensorEntry* find(const std::string& tensor) const;

private:
    nlohmann::json metadata_;
};

}  // namespace glassformer
