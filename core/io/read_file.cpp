#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "core/base/error.h"
#include "core/io/atomic_file.h"
#include "core/io/posix_file.h"

namespace glassformer {

std::string read_file(const std::filesystem::path& path, std::size_t max_bytes) {
    // O_NONBLOCK: opening a pipe that nobody writes to would otherwise wait for ever.
    const posix::Descriptor file(path, O_RDONLY | O_NONBLOCK, 0, "read", path);
    struct stat status {};
    if (::fstat(file.get(), &status) != 0) posix::fail("read", path, errno);
    if (S_ISDIR(status.st_mode)) posix::fail("read", path, EISDIR);
    if (!S_ISREG(status.st_mode)) throw Error("cannot read \"" + path.string() + "\": it is not a regular file");
    const auto size = static_cast<std::size_t>(status.st_size);
    if (size > max_bytes)
        throw Error("cannot read \"" + path.string() + "\": it has " + std::to_string(size) + " bytes; at most " +
                    std::to_string(max_bytes) + " are read");

    std::string content(size, '\0');
    std::size_t filled = 0;
    while (filled < size) {
        const ssize_t count = ::read(file.get(), content.data() + filled, size - filled);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) posix::fail("read", path, errno);
        if (count == 0) break;  // cut short by someone else since its size was asked
        filled += static_cast<std::size_t>(count);
    }
    content.resize(filled);
    return content;
}

}  // namespace glassformer
