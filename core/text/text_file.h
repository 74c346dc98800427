#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace glassformer {

/// True if a file with this name exists. Throws Error naming it if its folder cannot be accessed.
bool file_exists(const std::filesystem::path& path);

/// The whole text of a file, without a byte-order mark. Throws Error naming the file if it is missing, not a regular
/// file, unreadable or larger than max_bytes. Does not check the encoding: see check_utf8.
std::string read_text_file(const std::filesystem::path& path, std::size_t max_bytes);

/// Replaces the content of a file, as write_file_atomically does.
void write_text_file(const std::filesystem::path& path, std::string_view text);

/// Throws Error naming file_name and the line if the text is not UTF-8.
void check_utf8(std::string_view text, const std::string& file_name);

}  // namespace glassformer
