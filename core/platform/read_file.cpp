#include <cerrno>

#include "core/platform/atomic_file.h"
#include "core/platform/file.h"
#include "core/platform/system_error.h"

namespace glassformer {

std::string read_file(const std::filesystem::path& path, std::uint64_t max_bytes) {
    const platform::RegularFile file(path, max_bytes);
    std::string content;
    if (file.size() > content.max_size() / 2) platform::fail("read", path, ENOMEM);
    content.resize(file.size());
    content.resize(file.read(0, content));
    return content;
}

}  // namespace glassformer
