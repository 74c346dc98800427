#include "core/platform/file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <utility>

#include "core/platform/system_error.h"

namespace glassformer::platform {

namespace {

/// O_NONBLOCK: opening a pipe without a writer would otherwise block for ever.
int flags_of(OpenFor what) {
    switch (what) {
        case OpenFor::reading:
            return O_RDONLY | O_NONBLOCK;
        case OpenFor::writing:
            return O_WRONLY;
        case OpenFor::changing:
            return O_RDWR | O_CREAT;
        case OpenFor::appending:
            return O_RDWR | O_CREAT | O_APPEND;
        case OpenFor::creating:
            return O_WRONLY | O_CREAT | O_EXCL;
        case OpenFor::keeping:
            return O_RDONLY | O_DIRECTORY;
    }
    return O_RDONLY;
}

}  // namespace

File::File(const std::filesystem::path& path, OpenFor what, std::string_view action,
           const std::filesystem::path& named) {
    do fd_ = ::open(path.c_str(), flags_of(what) | O_CLOEXEC, 0666);
    while (fd_ < 0 && errno == EINTR);
    if (fd_ < 0) fail_to(action, named, errno);
}

File::~File() { close(); }

int File::write(std::string_view bytes) const {
    while (!bytes.empty()) {
        const ssize_t written = ::write(fd_, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return errno;
        if (written == 0) return ENOSPC;
        bytes.remove_prefix(written);
    }
    return 0;
}

std::int64_t File::seek(std::int64_t offset, std::ios::seekdir from) const {
    const int whence = from == std::ios::beg ? SEEK_SET : from == std::ios::cur ? SEEK_CUR : SEEK_END;
    return ::lseek(fd_, offset, whence);
}

int File::sync() const {
    while (::fsync(fd_) != 0) {
        if (errno == EINTR) continue;
        return errno == EINVAL || errno == ENOTSUP ? 0 : errno;
    }
    return 0;
}

int File::resize(std::uint64_t bytes) const {
    while (::ftruncate(fd_, static_cast<off_t>(bytes)) != 0)
        if (errno != EINTR) return errno;
    return 0;
}

int File::read(std::uint64_t offset, std::span<char> bytes, std::size_t& count) const {
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

bool File::try_lock(bool& taken) const {
    taken = ::flock(fd_, LOCK_EX | LOCK_NB) == 0;
    return taken || errno == EWOULDBLOCK;
}

int File::keep_permissions_of(const std::filesystem::path& other) const {
    struct stat old {};
    if (::stat(other.c_str(), &old) != 0) return errno;
    return ::fchmod(fd_, old.st_mode & 0777) == 0 ? 0 : errno;
}

bool File::is_at(const std::filesystem::path& path) const {
    struct stat open {
    }, named{};
    return ::fstat(fd_, &open) == 0 && ::stat(path.c_str(), &named) == 0 && open.st_dev == named.st_dev &&
           open.st_ino == named.st_ino;
}

int File::regular_size(std::uint64_t& bytes) const {
    struct stat status {};
    if (::fstat(fd_, &status) != 0) return errno;
    bytes = static_cast<std::uint64_t>(status.st_size);
    return S_ISDIR(status.st_mode) ? EISDIR : S_ISREG(status.st_mode) ? 0 : EINVAL;
}

FileStamp File::stamp() const {
    struct stat status {};
    if (::fstat(fd_, &status) != 0) return {};
    return {static_cast<std::uint64_t>(status.st_size), status.st_mtim.tv_sec, status.st_mtim.tv_nsec};
}

int File::close() {
    if (fd_ < 0) return 0;
    // On Linux the descriptor is closed even if close() was interrupted, so never close it twice.
    return ::close(std::exchange(fd_, -1)) == 0 || errno == EINTR ? 0 : errno;
}

void sync_folder(const std::filesystem::path& folder, const std::filesystem::path& named) {
    const std::filesystem::path& here = folder.empty() ? std::filesystem::path(".") : folder;
    if (::access(here.c_str(), R_OK) != 0) return;
    const File open(here, OpenFor::keeping, "flush to disk", named);
    if (const int error = open.sync()) fail_to("flush to disk", named, error);
}

int rename_over(const std::filesystem::path& from, const std::filesystem::path& to) {
    return std::rename(from.c_str(), to.c_str()) == 0 ? 0 : errno;
}

int swap_names(const std::filesystem::path& a, const std::filesystem::path& b) {
#ifdef SYS_renameat2
    constexpr unsigned rename_exchange = 2;  // RENAME_EXCHANGE of <linux/fs.h>
    if (::syscall(SYS_renameat2, AT_FDCWD, a.c_str(), AT_FDCWD, b.c_str(), rename_exchange) == 0) return 0;
    return errno == ENOSYS || errno == EINVAL ? ENOTSUP : errno;
#else
    static_cast<void>(a), static_cast<void>(b);
    return ENOTSUP;
#endif
}

bool may_write(const std::filesystem::path& path) { return ::access(path.c_str(), W_OK) == 0; }

int creation_error(const std::filesystem::path& path) {
    struct stat status {};
    if (::stat(path.c_str(), &status) == 0) return EEXIST;
    if (errno != ENOENT) return errno;
    const std::filesystem::path above = path.has_parent_path() ? path.parent_path() : ".";
    return ::access(above.c_str(), W_OK) == 0 ? 0 : errno;
}

}  // namespace glassformer::platform
