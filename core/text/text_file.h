#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace glassformer {

/// Whether there is a file of this name. Throws Error naming it when the folder cannot be looked into.
bool file_exists(const std::filesystem::path& path);

/// The whole text of a file, without a byte-order mark. Throws Error naming the file when it is missing, not a regular
/// file, unreadable or larger than max_bytes. It does not look at the encoding: see check_utf8.
std::string read_text_file(const std::filesystem::path& path, std::size_t max_bytes);

/// Replaces what the file holds. Throws Error naming it when it cannot be written.
void write_text_file(const std::filesystem::path& path, std::string_view text);

/// Throws Error naming file_name and the line when the text is not UTF-8.
void check_utf8(std::string_view text, const std::string& file_name);

}  // namespace glassformer
