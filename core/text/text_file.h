#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace glassformer {

/// The whole text of a file, without a byte-order mark. Throws Error naming the file when it is missing, not a regular
/// file, unreadable or larger than max_bytes. It does not look at the encoding: see check_utf8.
std::string read_text_file(const std::filesystem::path& path, std::size_t max_bytes);

/// Throws Error naming file_name and the line when the text is not UTF-8.
void check_utf8(std::string_view text, const std::string& file_name);

}  // namespace glassformer
