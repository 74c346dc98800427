#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "core/text/tokenizer.h"

namespace glassformer {

/// The tokenizer whose files lie in the folder: tokenizer.json; vocab.txt (words, or WordPiece); characters.json;
/// byte_pairs.json; vocab.json with merges.txt (GPT-2, RoBERTa). Null when the folder has
/// none. Throws Error naming the file and the reason when the folder cannot be looked into or a file is wrong.
std::shared_ptr<const Tokenizer> load_tokenizer(const std::filesystem::path& folder);

/// The names of all the files that Tokenizer::save_in writes, of every kind.
const std::vector<std::string>& tokenizer_file_names();

}  // namespace glassformer
