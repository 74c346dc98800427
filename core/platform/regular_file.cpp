#include <cerrno>
#include <string>
#include <string_view>

#include "core/platform/atomic_file.h"
#include "core/platform/file.h"
#include "core/platform/system_error.h"

namespace glassformer {

namespace platform {

RegularFile::RegularFile(const std::filesystem::path& path, std::uint64_t max_bytes)
    : path_(path), file_(path, OpenFor::reading, "read", path) {
    const int error = file_.regular_size(size_);
    if (error == EINVAL) throw SystemError(EINVAL, "cannot read \"{1}\": it is not a regular file", path);
    if (error) fail_to("read", path, error);
    if (size_ > max_bytes)
        throw SystemError(EFBIG, "cannot read \"{1}\": it has {2} bytes; at most {3} are read", path, size_, max_bytes);
    refuse_lfs_pointer();
}

// Git LFS leaves a few lines of text in place of a file that it did not fetch. No reader could parse them.
void RegularFile::refuse_lfs_pointer() const {
    constexpr std::string_view start = "version https://git-lfs.github.com/spec/";
    constexpr std::uint64_t longest = 1024;
    if (size_ < start.size() || size_ > longest) return;
    std::string begin(start.size(), '\0');
    begin.resize(read(0, begin));
    if (begin == start)
        throw Error("\"{1}\" is not the file itself but a pointer of Git LFS to it; run: git lfs pull", path_);
}

std::size_t RegularFile::read(std::uint64_t offset, std::span<char> bytes) const {
    std::size_t filled = 0;  // fewer if someone truncated the file since its size was read
    if (const int error = file_.read(offset, bytes, filled)) fail_to("read", path_, error);
    return filled;
}

}  // namespace platform

std::string read_file(const std::filesystem::path& path, std::uint64_t max_bytes) {
    const platform::RegularFile file(path, max_bytes);
    std::string content;
    if (file.size() > content.max_size() / 2) platform::fail_to("read", path, ENOMEM);
    content.resize(file.size());
    content.resize(file.read(0, content));
    return content;
}

}  // namespace glassformer
