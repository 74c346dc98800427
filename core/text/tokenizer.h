#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace glassformer {

/// Turns text into token ids and back. Immutable: shared between threads freely.
class Tokenizer {
public:
    virtual ~Tokenizer() = default;

    /// "words", "characters", "byte_pairs" or "tokenizer_json": as config.json names it.
    virtual std::string_view kind() const = 0;
    virtual int size() const = 0;
    /// One token as the screen shows it; bytes that are no whole character show as ⟨C3⟩. Throws Error when there is no
    /// such id.
    virtual std::string token_text(int id) const = 0;
    /// Throws Error when the text is not UTF-8 (naming the byte offset) or has no token.
    virtual std::vector<int> ids(std::string_view utf8) const = 0;
    /// Throws Error when there is no such id.
    virtual std::string decode(std::span<const int> ids) const = 0;
    /// Writes the tokenizer's file or files into a folder that exists. Throws Error naming the file.
    virtual void save_in(const std::filesystem::path& folder) const = 0;
};

/// The tokenizer whose files lie in the folder: tokenizer.json; vocab.txt (words, or WordPiece); characters.json;
/// byte_pairs.json; vocab.json with merges.txt (GPT-2, RoBERTa). Null when the folder has
/// none. Throws Error naming the file and the reason when the folder cannot be looked into or a file is wrong.
std::shared_ptr<const Tokenizer> load_tokenizer(const std::filesystem::path& folder);

/// The names of all the files that Tokenizer::save_in writes, of every kind.
const std::vector<std::string>& tokenizer_file_names();

}  // namespace glassformer
