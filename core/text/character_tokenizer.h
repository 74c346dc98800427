#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/text/tokenizer.h"

namespace glassformer {

/// Turns text into the ids of its characters (code points) and back. Ids 0 and 1 are the special tokens; the characters
/// follow. Case is kept; blanks and line ends are ordinary characters.
class CharacterTokenizer final : public Tokenizer {
public:
    static constexpr int pad = 0, unknown = 1;  // "<pad>", "<unk>"

    /// The characters get ids from 2 on, in the given order. Throws Error naming the character if it appears twice or
    /// is not a Unicode character.
    explicit CharacterTokenizer(std::u32string characters);

    /// Every character of the text, in code point order. Throws Error if the text is empty or not UTF-8 (naming the
    /// byte offset).
    static CharacterTokenizer from_text(std::string_view utf8);

    /// Reads characters.json: {"characters": ["\n", " ", "a", …]}. Errors name the file.
    static CharacterTokenizer load(const std::filesystem::path& path);
    void save(const std::filesystem::path& path) const;

    std::string_view kind() const override { return "characters"; }
    int size() const override { return first_character + static_cast<int>(characters_.size()); }
    std::string token_text(int id) const override;
    /// A character as read from a text.
    struct Character {
        int id = unknown;
        char32_t point = 0;
    };
    /// Like ids(), but also returns the characters, including unknown ones.
    std::vector<Character> read(std::string_view utf8) const;
    /// Unknown characters become `unknown`.
    std::vector<int> ids(std::string_view utf8) const override;
    /// Exact for known characters; an unknown one becomes "<unk>", and padding is left out.
    std::string decode(std::span<const int> ids) const override;
    void save_in(const std::filesystem::path& folder) const override { save(folder / "characters.json"); }

private:
    static constexpr int first_character = 2;

    /// The character or special token itself.
    std::string text_of(int id) const;

    std::u32string characters_;
    std::unordered_map<char32_t, int> ids_;
};

}  // namespace glassformer
