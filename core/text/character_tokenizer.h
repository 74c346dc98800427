#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/text/tokenizer.h"

namespace glassformer {

/// Turns text into the ids of its characters (code points) and back. Ids 0 and 1 are the special tokens, the
/// characters follow. Letters keep their case, blanks and line ends are characters like any other.
class CharacterTokenizer final : public Tokenizer {
public:
    static constexpr int pad = 0, unknown = 1;  // "<pad>", "<unk>"

    /// The characters get ids from 2 on, in the order given. Throws Error naming the character when one appears twice
    /// or is no Unicode character.
    explicit CharacterTokenizer(std::u32string characters);

    /// Every character of the text, in the order of the code points. Throws Error when the text is not UTF-8 (naming
    /// the byte offset) or is empty.
    static CharacterTokenizer from_text(std::string_view utf8);

    /// Reads characters.json: {"characters": ["\n", " ", "a", …]}. Errors name the file.
    static CharacterTokenizer load(const std::filesystem::path& path);
    void save(const std::filesystem::path& path) const;

    std::string_view kind() const override { return "characters"; }
    int size() const override { return first_character + static_cast<int>(characters_.size()); }
    std::string token_text(int id) const override;
    /// A character of a text, as it was read.
    struct Character {
        int id = unknown;
        char32_t point = 0;
    };
    /// What ids() reads, with the characters that are not known.
    std::vector<Character> read(std::string_view utf8) const;
    /// A character that is not known becomes `unknown`.
    std::vector<int> ids(std::string_view utf8) const override;
    /// Exact for known characters; "<unk>" stands for an unknown one, padding is left out.
    std::string decode(std::span<const int> ids) const override;
    void save_in(const std::filesystem::path& folder) const override { save(folder / "characters.json"); }

private:
    static constexpr int first_character = 2;

    /// The character or special token, as it is.
    std::string text_of(int id) const;

    std::u32string characters_;
    std::unordered_map<char32_t, int> ids_;
};

}  // namespace glassformer
