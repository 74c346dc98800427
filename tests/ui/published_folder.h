#pragma once

#include <filesystem>
#include <fstream>
#include <string>

#include "tests/core/temporary_folder.h"

namespace glassformer {

/// Writes a tiny BERT as published: config.json, model.safetensors and vocab.txt. Its 13 tokens are the words of "he
/// swung the bat and hit a foul", "##s" and the special tokens.
inline std::filesystem::path bert_folder(const TemporaryFolder& in, const std::string& golden = "bert") {
    const std::filesystem::path folder = in / "bert",
                                from = GLASSFORMER_SOURCE_DIR "/tests/golden/hugging_face/" + golden;
    std::filesystem::create_directory(folder);
    for (const char* file : {"config.json", "model.safetensors"}) std::filesystem::copy(from / file, folder / file);
    std::ofstream(folder / "vocab.txt")
        << "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\nhe\nswung\nthe\nbat\n##s\nhit\na\nfoul\n";
    return folder;
}

}  // namespace glassformer
