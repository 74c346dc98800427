#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/text/aligned_text.h"

namespace glassformer {

// A token may end within a character. Decoding writes the bytes of such a part as ⟨E4⟩⟨BD⟩ (core/text/shown_bytes.h),
// and a tokenizer that can read single bytes reads them from there again. Within a tokenizer, where all text is
// well-formed, a private character stands for such a byte.

/// The byte that a character stands for, if it is such a private one.
std::optional<unsigned char> lone_byte(char32_t point);

/// Well-formed text with a private character for each ⟨80⟩ … ⟨FF⟩; one that it has itself becomes those of its bytes.
std::string with_lone_bytes(std::string_view utf8);
AlignedText aligned_with_lone_bytes(std::string_view utf8);

/// The bytes that such a text stands for.
std::string bytes_of_lone(std::string_view text);

}  // namespace glassformer
