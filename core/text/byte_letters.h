#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace glassformer {

/// Bytes as GPT-2's files write them (Radford et al. 2019, encoder.py): each of the 256 bytes has a printable
/// character, itself where Latin-1 has one (33 … 126, 161 … 172, 174 … 255), the others U+0100 and up in their order. A
/// blank is Ġ.
std::string byte_letters(std::string_view bytes);

/// The way back; nothing when a character stands for no byte, or the text is not UTF-8.
std::optional<std::string> letter_bytes(std::string_view utf8);

}  // namespace glassformer
