#pragma once

#include <filesystem>
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

}  // namespace glassformer
