#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace glassformer {

/// Turns text into token ids and back. Immutable: may be shared freely between threads.
class Tokenizer {
public:
    virtual ~Tokenizer() = default;

    /// "words", "characters", "byte_pairs" or "tokenizer_json", as in config.json.
    virtual std::string_view kind() const = 0;
    virtual int size() const = 0;
    /// One token for display; bytes that are not a whole character become ⟨C3⟩. Throws Error if there is no such id.
    virtual std::string token_text(int id) const = 0;
    /// Throws Error if the text is not UTF-8 (naming the byte offset) or has no token.
    virtual std::vector<int> ids(std::string_view utf8) const = 0;
    /// Throws Error if there is no such id.
    virtual std::string decode(std::span<const int> ids) const = 0;
    /// Writes the tokenizer's file or files into an existing folder. Throws Error naming the file.
    virtual void save_in(const std::filesystem::path& folder) const = 0;
};

/// Throws Error, naming the first such token, if a model with `rows` embeddings has none for one of these tokens of the
/// tokenizer: a published tokenizer may have more tokens than its model.
void require_embedded(const Tokenizer& tokenizer, std::span<const int> ids, int rows);

/// Loads the tokenizer from the files in a folder: tokenizer.json; vocab.txt (words, or WordPiece); characters.json;
/// byte_pairs.json; vocab.json with merges.txt (GPT-2, RoBERTa). Null if the folder has none. Throws Error naming the
/// file and the reason if the folder cannot be accessed or a file is wrong.
std::shared_ptr<const Tokenizer> load_tokenizer(const std::filesystem::path& folder);

/// The names of all files that Tokenizer::save_in writes, for every kind.
const std::vector<std::string>& tokenizer_file_names();

}  // namespace glassformer
