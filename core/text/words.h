#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace glassformer {

/// Lower-cases the text and cuts it into words: blanks and control characters separate words, every punctuation mark is
/// its own word, and an apostrophe between letters stays inside its word ("didn’t" becomes "didn't"). Throws Error
/// naming the byte offset if the text is not UTF-8.
std::vector<std::string> split_words(std::string_view utf8);

/// True for characters of scripts written without blanks between words: the letters and marks of Chinese, Japanese,
/// Thai, Lao, Khmer and Burmese. What is between two blanks is then not a single word.
bool is_unspaced_script(char32_t point);

/// True if a line may break between two characters without a blank between them: next to an ideograph or a kana, but
/// not before a closing or after an opening character, and not between a number and its unit.
bool may_break_between(char32_t before, char32_t after);

/// The words joined with blanks, except before closing punctuation and in scripts without blanks.
std::string join_words(std::span<const std::string> words);

/// UTF-8 text in lower case, letter by letter.
std::string lower_case(std::string_view utf8);

/// Damerau–Levenshtein distance: the fewest insertions, deletions, replacements and swaps of neighbours that turn one
/// text into the other, editing no substring twice (the "optimal string alignment" form).
std::size_t edit_distance(std::u32string_view from, std::u32string_view to);

}  // namespace glassformer
