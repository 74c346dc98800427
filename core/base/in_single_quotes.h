#pragma once

#include <string>
#include <string_view>

namespace glassformer {

/// A word of a file, in single quotes for a message.
inline std::string in_single_quotes(std::string_view text) { return "'" + std::string(text) + "'"; }

}  // namespace glassformer
