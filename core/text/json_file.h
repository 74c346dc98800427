#pragma once

#include <cstddef>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

namespace glassformer {

/// The maximum nesting depth of a JSON text: copying, writing or comparing a document recurses into it.
constexpr std::size_t deepest_json = 32;

/// Parses untrusted text; returns a discarded value (is_discarded()) if it is not JSON or is nested too deep, and sets
/// `too_deep` accordingly.
nlohmann::json parse_json(std::string_view text, bool* too_deep = nullptr);

/// Reads an untrusted JSON file. Throws Error naming the file if it cannot be read, is larger than max_bytes, is not
/// JSON (naming the byte), repeats a key in an object, or is nested too deep.
nlohmann::json read_json_file(const std::filesystem::path& path, std::size_t max_bytes);

/// The value as an integer from 0 to `most`, such as a token id; none if it is not one.
std::optional<int> whole_number(const nlohmann::json& value, int most = 1 << 30);

/// The field of a JSON object. Throws Error naming the file if the value is not an object or has no such field.
const nlohmann::json& field_of(const nlohmann::json& object, const char* key, const std::filesystem::path& file);

}  // namespace glassformer
