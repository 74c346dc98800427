#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "core/base/error.h"
#include "core/io/atomic_file.h"
#include "core/io/posix_file.h"

namespace glassformer {

namespace posix {

// O_NONBLOCK: opening a pipe that nobody writes to would otherwise wait for ever.
RegularFile::RegularFile(const std::filesystem::path& path, std::uint64_t max_bytes)
    : path_(path), file_(path, O_RDONLY | O_NONBLOCK, 0, "read", path) {
    struct stat status {};
    if (::fstat(file_.get(), &status) != 0) fail("read", path, errno);
    if (S_ISDIR(status.st_mode)) fail("read", path, EISDIR);
    if (!S_ISREG(status.st_mode))
        throw SystemError("cannot read \"" + path.string() + "\": it is not a regular file", EINVAL);
    size_ = static_cast<std::uint64_t>(status.st_size);
    if (size_ > max_bytes)
        throw SystemError("cannot read \"" + path.string() + "\": it has " + std::to_string(size_) +
                              " bytes; at most " + std::to_string(max_bytes) + " are read",
                          EFBIG);
}

std::size_t RegularFile::read(std::uint64_t offset, std::span<char> bytes) const {
    std::size_t filled = 0;  // fewer where someone else cut the file since its size was asked
    if (const int error = file_.read(offset, bytes, filled)) fail("read", path_, error);
    return filled;
}

}  // namespace posix

std::string read_file(const std::filesystem::path& path, std::uint64_t max_bytes) {
    const posix::RegularFile file(path, max_bytes);
    std::string content;
    if (file.size() > content.max_size() / 2) posix::fail("read", path, ENOMEM);
    content.resize(static_cast<std::size_t>(file.size()));
    content.resize(file.read(0, content));
    return content;
}

}  // namespace glassformer
