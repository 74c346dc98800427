#pragma once

#include <string>

namespace glassformer::app {

/// A field of a CSV table, quoted if necessary.
inline std::string table_field(const std::string& text) {
    if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
    std::string field = "\"";
    for (const char c : text) field += c == '"' ? std::string("\"\"") : std::string(1, c);
    return field + '"';
}

}  // namespace glassformer::app
