#pragma once

#include <string>
#include <string_view>

namespace glassformer {

/// The bytes as a person can read them: characters as they are, but control characters and bytes that are no whole
/// character byte by byte as ⟨0A⟩ or ⟨C3⟩.
std::string shown_bytes(std::string_view bytes);

/// The bytes as well-formed UTF-8: ⟨C3⟩ stands for such a byte that is part of no whole character.
std::string as_utf8(std::string_view bytes);

/// For a message: shown_bytes in quotation marks, cut when there are more than about 60 bytes.
std::string in_quotes(std::string_view bytes);

}  // namespace glassformer
