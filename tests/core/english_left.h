#pragma once

#include <cctype>
#include <set>
#include <string>
#include <string_view>
#include <vector>

/// The pseudo-language en_XA puts an accent on every vowel, so a word with a plain vowel is either data or untranslated
/// text.
namespace glassformer {

using Words = std::set<std::string>;

/// Splits a text into words: runs of letters, digits, underscores and non-ASCII characters (d_model, café).
inline std::vector<std::string> words_of(std::string_view text) {
    std::vector<std::string> words(1);
    for (const char c : text) {
        const bool inside =
            std::isalnum(static_cast<unsigned char>(c)) || c == '_' || static_cast<unsigned char>(c) > 127;
        if (inside)
            words.back() += c;
        else if (!words.back().empty())
            words.emplace_back();
    }
    return words;
}

inline void add_words(Words& words, std::string_view text) {
    for (const std::string& word : words_of(text)) words.insert(word);
}

/// True for an ASCII word with a vowel and at least two letters: one that is not of the pseudo-language.
inline bool is_plain(const std::string& word) {
    bool vowel = false;
    int letters = 0;
    for (const char c : word) {
        if (static_cast<unsigned char>(c) > 127) return false;
        vowel |= std::string_view("aeiouAEIOU").find(c) != std::string_view::npos;
        letters += std::isalpha(static_cast<unsigned char>(c)) ? 1 : 0;
    }
    return vowel && letters > 1;
}

/// Returns the plain English words of a text that are not data.
inline std::string english_in(std::string_view text, const Words& data) {
    std::string plain;
    for (const std::string& word : words_of(text))
        if (is_plain(word) && !data.contains(word)) plain += (plain.empty() ? "" : " ") + word;
    return plain;
}

}  // namespace glassformer
