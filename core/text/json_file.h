#pragma once

#include <cstddef>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

namespace glassformer {

/// How deep a JSON text may be nested. Whoever copies, writes or compares a document recurses into it.
constexpr std::size_t deepest_json = 32;

/// The document in a text that need not be well meant; discarded (is_discarded()) where the text is not JSON or is
/// nested too deep, which `too_deep` then says.
nlohmann::json parse_json(std::string_view text, bool* too_deep = nullptr);

/// Reads a JSON file that need not be well meant. Throws Error naming the file when it cannot be read, is larger than
/// max_bytes, is not JSON (naming the byte), has a key twice in one object, or is nested too deep.
nlohmann::json read_json_file(const std::filesystem::path& path, std::size_t max_bytes);

/// The whole number from 0 to `most` that the value is, as ids of tokens are; nothing where it is none.
std::optional<int> whole_number(const nlohmann::json& value, int most = 1 << 30);

/// The field of a JSON object. Throws Error naming the file when the value is no object or has no such field.
const nlohmann::json& field_of(const nlohmann::json& object, const char* key, const std::filesystem::path& file);

}  // namespace glassformer
