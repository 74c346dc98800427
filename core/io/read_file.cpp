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
RegularFile::RegularFile(const std::filesystem::path& path, std::size_t max_bytes)
    : path_(path), file_(path, O_RDONLY | O_NONBLOCK, 0, "read", path) {
    struct stat status {};
    if (::fstat(file_.get(), &status) != 0) fail("read", path, errno);
    if (S_ISDIR(status.st_mode)) fail("read", path, EISDIR);
    if (!S_ISREG(status.st_mode)) throw Error("cannot read \"" + path.string() + "\": it is not a regular file");
    size_ = static_cast<std::size_t>(status.st_size);
    if (size_ > max_bytes)
        throw Error("cannot read \"" + path.string() + "\": it has " + std::to_string(size_) + " bytes; at most " +
                    std::to_string(max_bytes) + " are read");
}

std::size_t RegularFile::read(std::size_t offset, std::span<char> bytes) const {
    std::size_t filled = 0;
    while (filled < bytes.size()) {
        const ssize_t count =
            ::pread(file_.get(), bytes.data() + filled, bytes.size() - filled, static_cast<off_t>(offset + filled));
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) fail("read", path_, errno);
        if (count == 0) break;  // cut short by someone else since its size was asked
        filled += static_cast<std::size_t>(count);
    }
    return filled;
}

}  // namespace posix

std::string read_file(const std::filesystem::path& path, std::size_t max_bytes) {
    const posix::RegularFile file(path, max_bytes);
    std::string content(file.size(), '\0');
    content.resize(file.read(0, content));
    return content;
}

}  // namespace glassformer
