#include "core/text/text_file.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/platform/atomic_file.h"
#include "core/text/utf8.h"

namespace glassformer {

bool file_exists(const std::filesystem::path& path) {
    std::error_code failure;
    const bool there = std::filesystem::exists(path, failure);
    if (failure) throw Error("{1}: cannot be accessed: {2}", path, failure.message());
    return there;
}

std::string read_text_file(const std::filesystem::path& path, std::size_t max_bytes) {
    const std::string name = path.string();
    std::error_code failure;
    const auto status = std::filesystem::status(path, failure);
    if (!std::filesystem::exists(status)) throw Error("{1}: there is no such file", name);
    if (std::filesystem::is_directory(status)) throw Error("{1}: is a directory, not a text file", name);
    if (!std::filesystem::is_regular_file(status)) throw Error("{1}: is not a regular file", name);
    std::error_code unknown;
    const std::uintmax_t size = std::filesystem::file_size(path, unknown);
    if (!unknown && size > max_bytes) throw Error("{1}: is larger than {2} bytes", name, max_bytes);
    std::string text = read_file(path, max_bytes);
    if (text.starts_with("\xEF\xBB\xBF")) text.erase(0, 3);
    return text;
}

void write_text_file(const std::filesystem::path& path, std::string_view text) { write_file_atomically(path, text); }

void check_utf8(std::string_view text, const std::string& file_name) {
    std::size_t bad = 0;
    if (is_valid_utf8(text, &bad)) return;
    const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(bad), '\n');
    throw Error("{1}:{2}: is not UTF-8 text (at byte {3})", file_name, line, bad);
}

}  // namespace glassformer
