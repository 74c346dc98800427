#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace glassformer {

/// Lower-cases the text and cuts it into words: blanks and control characters separate, every punctuation mark is a
/// word of its own, an apostrophe between letters stays inside its word ("didn’t" becomes "didn't"). Throws Error
/// naming the byte offset when the text is not UTF-8.
std::vector<std::string> split_words(std::string_view utf8);

/// The words with a blank between them, none before a closing punctuation mark.
std::string join_words(std::span<const std::string> words);

/// Lower case of ASCII and Latin-1 letters in UTF-8 text.
std::string lower_case(std::string_view utf8);

}  // namespace glassformer
