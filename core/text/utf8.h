#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace glassformer {

/// Whether the bytes are well-formed UTF-8: no stray or missing continuation byte, no overlong form, no surrogate,
/// nothing above U+10FFFF. When they are not, bad_offset (if given) receives the offset of the first bad byte.
bool is_valid_utf8(std::string_view bytes, std::size_t* bad_offset = nullptr);

/// Throws Error naming the byte offset when the text is not well-formed UTF-8.
void check_utf8(std::string_view text);

/// The code points of well-formed UTF-8; throws Error naming the byte offset when it is not.
std::u32string code_points(std::string_view utf8);

/// The other way round.
std::string to_utf8(std::u32string_view points);

/// The lower case of a letter, as one code point.
char32_t lower_case(char32_t point);

}  // namespace glassformer
