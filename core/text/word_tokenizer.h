#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/text/tokenizer.h"

namespace glassformer {

/// The words that begin and end a text that a model generates, for tokenizers that have them.
inline constexpr const char *bos_word = "<bos>", *eos_word = "<eos>";

/// Turns text into the ids of whole words and back. Ids 0, 1 and 2 are the special tokens; the words follow.
class WordTokenizer final : public Tokenizer {
public:
    static constexpr int pad = 0, mask = 1, unknown = 2;  // "<pad>", "<mask>", "<unk>"

    /// The words get ids from 3 on, in the given order. Throws Error naming the word if it is empty, appears twice, is
    /// a special token, contains a blank, or is not UTF-8.
    explicit WordTokenizer(const std::vector<std::string>& words);

    /// Reads a file with one token per line, the three special ones first. Errors name the file and the line.
    static WordTokenizer load(const std::filesystem::path& path);
    void save(const std::filesystem::path& path) const;

    std::string_view kind() const override { return "words"; }
    std::string token_text(int id) const override { return word(id); }
    std::vector<int> ids(std::string_view utf8) const override;
    void save_in(const std::filesystem::path& folder) const override { save(folder / "vocab.txt"); }

    int size() const override { return static_cast<int>(words_.size()); }
    /// Throws Error if there is no such id.
    const std::string& word(int id) const;
    /// The id of exactly this word (or special token); words are lower case.
    std::optional<int> find(std::string_view word) const;

    struct Token {
        int id;            ///< unknown if the word is not in the vocabulary
        std::string text;  ///< the word as typed, in lower case; "<mask>" for a mask
    };
    /// Cuts the text like split_words, and scripts without blanks (is_unspaced_script) into the fewest words of the
    /// vocabulary, with as few unknown characters as possible. "▢", "□", one or more "_", "[mask]" and "<mask>" become
    /// the mask, "<unk>" one unknown word. Throws Error if the text is not UTF-8 (naming the byte offset) or has no
    /// word.
    std::vector<Token> encode(std::string_view utf8) const;
    /// The words joined to text, in lower case, without padding. Throws Error if there is no such id.
    std::string decode(std::span<const int> ids) const override;

    /// The n known words with the fewest typing errors relative to this one (Damerau–Levenshtein on code points, over
    /// the first 64 of them), nearest first, ties in alphabetical order; excludes special tokens, and words in which
    /// every letter differs.
    std::vector<std::string> nearest(std::string_view word, std::size_t n) const;

private:
    void cut_into_words(const std::string& run, std::vector<Token>& tokens) const;

    std::vector<std::string> words_;
    std::unordered_map<std::string, int> ids_;
    std::size_t longest_ = 0;  // length of the longest word, in characters
};

}  // namespace glassformer
