#pragma once

#include <string>
#include <string_view>

namespace glassformer {

/// The bytes as a person can read them: characters as they are, but control characters, others that
/// hidden_in() finds, and bytes that are no whole character byte by byte as ⟨0A⟩ or ⟨C3⟩.
std::string shown_bytes(std::string_view bytes);

/// The bytes as well-formed UTF-8: ⟨C3⟩ stands for such a byte that is part of no whole character.
std::string as_utf8(std::string_view bytes);

/// What is wrong with a text that a person reads: a byte that is not UTF-8, or a character that nobody sees and that
/// changes what is read (a control character, one that turns the direction of reading, one without width). Empty where
/// nothing is. Tabs, and the joiners and marks that some scripts need, are allowed.
std::string hidden_in(std::string_view text);

/// For a message: shown_bytes in quotation marks, cut when there are more than about 60 bytes.
std::string in_quotes(std::string_view bytes);

/// A word of a file, in single quotes for a message.
inline std::string in_single_quotes(std::string_view text) { return "'" + std::string(text) + "'"; }

}  // namespace glassformer
