#pragma once

#include <filesystem>

#include "core/io/checkpoint.h"

namespace glassformer {

/// Whether that is the name of a GGUF file, and no folder.
bool is_gguf_file(const std::filesystem::path& path);

/// Reads a model in one GGUF file: llama (Llama, Mistral), qwen2, qwen3, gemma, gemma3, gpt2, gptneox or bert, in F32,
/// F16, BF16 or Q8_0, with the tokenizer of its metadata. The model is the one of the Hugging Face folder that the file
/// was made from. Throws Error naming the file and what is wrong in it, as GgufFile, HuggingFaceConfig, restore() and
/// make_tokenizer() do.
Checkpoint load_gguf(const std::filesystem::path& file);

}  // namespace glassformer
