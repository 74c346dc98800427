#include <atomic>
#include <cstdio>
#include <string>
#include <string_view>

#include "core/platform/file.h"
#include "core/platform/process.h"

namespace glassformer::platform {

std::filesystem::path free_name(const std::filesystem::path& file, const std::string& suffix) {
    namespace fs = std::filesystem;
    fs::path name = file.string() + suffix;
    std::error_code ignored;
    for (int n = 2; fs::exists(fs::symlink_status(name, ignored)); ++n)
        name = file.string() + suffix + "-" + std::to_string(n);
    return name;
}

bool is_temporary(const std::filesystem::path& path) {
    static constexpr std::string_view mark = ".tmp-";
    const std::string name = path.filename().string();
    const std::size_t at = name.rfind(mark);
    if (at == std::string::npos || at == 0) return false;
    int used = 0;
    unsigned process = 0, number = 0;
    const char* const rest = name.c_str() + at + mark.size();
    return std::sscanf(rest, "%9u-%9u%n", &process, &number, &used) == 2 && rest[used] == '\0';
}

std::filesystem::path temporary_beside(const std::filesystem::path& path) {
    static std::atomic<unsigned> count{0};
    std::filesystem::path temporary = path;
    temporary += ".tmp-" + std::to_string(process_id()) + "-" + std::to_string(count++);
    return temporary;
}

}  // namespace glassformer::platform
