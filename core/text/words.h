#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace glassformer {

/// Lower-cases the text and cuts it into words: blanks and control characters separate, every punctuation mark is a
/// word of its own, an apostrophe between letters stays inside its word ("didn’t" becomes "didn't"). Throws Error
/// naming the byte offset when the text is not UTF-8.
std::vector<std::string> split_words(std::string_view utf8);

/// Whether no blank is beside a character: the letters and marks of Chinese, Japanese, Thai, Lao, Khmer and
/// Burmese, which are written without blanks between words. What stands between two blanks is then no single word.
bool is_unspaced_script(char32_t point);

/// Whether a line may end between two characters that have no blank between them: beside an ideograph or a kana, but
/// before nothing that closes and behind nothing that opens, and not within a number and its unit.
bool may_break_between(char32_t before, char32_t after);

/// The words with a blank between them, none before a closing punctuation mark or where the script has none.
std::string join_words(std::span<const std::string> words);

/// UTF-8 text in lower case, letter by letter.
std::string lower_case(std::string_view utf8);

/// Damerau–Levenshtein distance: the fewest insertions, deletions, replacements and swaps of neighbours that turn one
/// text into the other, where no piece is edited twice (the "optimal string alignment" form).
std::size_t edit_distance(std::u32string_view from, std::u32string_view to);

}  // namespace glassformer
