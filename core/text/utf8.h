#pragma once

#include <cstddef>
#include <optional>
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

/// Bytes as GPT-2's files write them (Radford et al. 2019, encoder.py): each of the 256 bytes has a printable
/// character, itself where Latin-1 has one (33 … 126, 161 … 172, 174 … 255), the others U+0100 and up in their order. A
/// blank is Ġ.
std::string byte_letters(std::string_view bytes);

/// The way back; nothing when a character stands for no byte, or the text is not UTF-8.
std::optional<std::string> letter_bytes(std::string_view utf8);

}  // namespace glassformer
