#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace glassformer {

/// True if the bytes are well-formed UTF-8: no stray or missing continuation byte, no overlong form, no surrogate,
/// nothing above U+10FFFF. If not, bad_offset (if given) receives the offset of the first bad byte.
bool is_valid_utf8(std::string_view bytes, std::size_t* bad_offset = nullptr);

/// Throws Error naming the byte offset if the text is not well-formed UTF-8.
void check_utf8(std::string_view text);

/// True for the bytes of a character after its first one.
inline bool continues_character(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; }

/// The last offset up to `at` that is not within a character.
std::size_t character_start(std::string_view utf8, std::size_t at);

/// The code points of well-formed UTF-8; throws Error naming the byte offset if it is not.
std::u32string code_points(std::string_view utf8);

/// The inverse of code_points().
std::string to_utf8(std::u32string_view points);

/// The lower case of a letter, as one code point.
char32_t lower_case(char32_t point);

/// Bytes as written in GPT-2's files (Radford et al. 2019, encoder.py): each of the 256 bytes has a printable
/// character, either itself if it is printable in Latin-1 (33 … 126, 161 … 172, 174 … 255), or one from U+0100 on, in
/// order. A blank is Ġ.
std::string byte_letters(std::string_view bytes);

/// The inverse; none if a character stands for no byte, or the text is not UTF-8.
std::optional<std::string> letter_bytes(std::string_view utf8);

}  // namespace glassformer
