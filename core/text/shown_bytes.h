#pragma once

#include <string>
#include <string_view>

namespace glassformer {

/// The bytes in readable form: characters stay as they are, except that control characters, others that hidden_in()
/// finds, and bytes that are not part of a whole character become ⟨0A⟩ or ⟨C3⟩, byte by byte.
std::string shown_bytes(std::string_view bytes);

/// The bytes as well-formed UTF-8: ⟨C3⟩ replaces a byte that is not part of a whole character.
std::string as_utf8(std::string_view bytes);

/// What is wrong with a text meant for people: a byte that is not UTF-8, or an invisible character that changes how the
/// text reads (a control character, one that changes the text direction, one without width). Empty if nothing is wrong.
/// Tabs, and the joiners and marks that some scripts need, are allowed.
std::string hidden_in(std::string_view text);

/// For a message: shown_bytes in quotation marks, truncated beyond about 60 bytes.
std::string in_quotes(std::string_view bytes);

/// A word from a file, in single quotes, for a message.
inline std::string in_single_quotes(std::string_view text) { return "'" + std::string(text) + "'"; }

}  // namespace glassformer
