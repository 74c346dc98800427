#include "core/io/posix_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <string>
#include <system_error>
#include <utility>

#include "core/base/error.h"

namespace glassformer::posix {

namespace {

const char* advice(int error) {
    switch (error) {
        case ENOSPC:
        case EDQUOT:
            return "free some space on that disk or choose another folder";
        case EFBIG:
            return "the file is larger than this disk or account allows; choose another folder";
        case EACCES:
        case EPERM:
            return "check its permissions or choose another place";
        case EROFS:
            return "that disk is read-only; choose another folder";
        case ENOENT:
            return "check the spelling, and that the folder exists";
        case ENOTDIR:
            return "a part of the path before the last is a file, not a folder";
        case EISDIR:
            return "give the path of a file, not of a folder";
        case ENAMETOOLONG:
            return "choose a shorter name";
        case EMFILE:
        case ENFILE:
            return "too many files are open; close some programs";
        case ENOMEM:
            return "there is not enough memory for it; close other programs";
        case ELOOP:
            return "a symbolic link in the path leads back to itself";
        case EIO:
            return "the disk may be failing";
        default:
            return "try another place";
    }
}

}  // namespace

void fail(std::string_view action, const std::filesystem::path& named, int error) {
    throw SystemError("cannot " + std::string(action) + " \"" + named.string() +
                          "\": " + std::generic_category().message(error) + "; " + advice(error),
                      error);
}

Descriptor::Descriptor(const std::filesystem::path& path, int flags, mode_t mode, std::string_view action,
                       const std::filesystem::path& named) {
    do fd_ = ::open(path.c_str(), flags | O_CLOEXEC, mode);
    while (fd_ < 0 && errno == EINTR);
    if (fd_ < 0) fail(action, named, errno);
}

Descriptor::~Descriptor() { close(); }

int Descriptor::write(std::string_view bytes) const {
    while (!bytes.empty()) {
        const ssize_t written = ::write(fd_, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return errno;
        if (written == 0) return ENOSPC;
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    return 0;
}

int Descriptor::sync() const {
    while (::fsync(fd_) != 0) {
        if (errno == EINTR) continue;
        return errno == EINVAL || errno == ENOTSUP ? 0 : errno;
    }
    return 0;
}

int Descriptor::resize(std::uint64_t bytes) const {
    while (::ftruncate(fd_, static_cast<off_t>(bytes)) != 0)
        if (errno != EINTR) return errno;
    return 0;
}

int Descriptor::read(std::uint64_t offset, std::span<char> bytes, std::size_t& count) const {
    for (count = 0; count < bytes.size();) {
        const ssize_t got =
            ::pread(fd_, bytes.data() + count, bytes.size() - count, static_cast<off_t>(offset + count));
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return errno;
        if (got == 0) break;
        count += static_cast<std::size_t>(got);
    }
    return 0;
}

bool Descriptor::is_at(const std::filesystem::path& path) const {
    struct stat open {
    }, named{};
    return ::fstat(fd_, &open) == 0 && ::stat(path.c_str(), &named) == 0 && open.st_dev == named.st_dev &&
           open.st_ino == named.st_ino;
}

int Descriptor::close() {
    if (fd_ < 0) return 0;
    // On Linux the descriptor is gone even when close was interrupted, so it is never closed twice.
    return ::close(std::exchange(fd_, -1)) == 0 || errno == EINTR ? 0 : errno;
}

void sync_folder(const std::filesystem::path& folder, const std::filesystem::path& named) {
    const std::filesystem::path& here = folder.empty() ? std::filesystem::path(".") : folder;
    if (::access(here.c_str(), R_OK) != 0) return;
    const Descriptor descriptor(here, O_RDONLY | O_DIRECTORY, 0, "flush to disk", named);
    if (const int error = descriptor.sync()) fail("flush to disk", named, error);
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
    temporary += ".tmp-" + std::to_string(::getpid()) + "-" + std::to_string(count++);
    return temporary;
}

}  // namespace glassformer::posix
