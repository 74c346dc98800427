#include "core/platform/file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <string>
#include <utility>

#include "core/platform/process.h"
#include "core/platform/system_error.h"

namespace glassformer::platform {

namespace {

/// O_NONBLOCK: opening a pipe that nobody writes to would otherwise wait for ever.
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
    if (fd_ < 0) fail(action, named, errno);
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

int File::close() {
    if (fd_ < 0) return 0;
    // On Linux the descriptor is gone even when close was interrupted, so it is never closed twice.
    return ::close(std::exchange(fd_, -1)) == 0 || errno == EINTR ? 0 : errno;
}

RegularFile::RegularFile(const std::filesystem::path& path, std::uint64_t max_bytes)
    : path_(path), file_(path, OpenFor::reading, "read", path) {
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
    refuse_lfs_pointer();
}

// Git LFS leaves a few lines of text where it did not fetch a file. No reader could make sense of them.
void RegularFile::refuse_lfs_pointer() const {
    constexpr std::string_view start = "version https://git-lfs.github.com/spec/";
    constexpr std::uint64_t longest = 1024;
    if (size_ < start.size() || size_ > longest) return;
    std::string begin(start.size(), '\0');
    begin.resize(read(0, begin));
    if (begin == start)
        throw Error("\"" + path_.string() +
                    "\" is not the file itself but a pointer of Git LFS to it; run: git lfs pull");
}

std::size_t RegularFile::read(std::uint64_t offset, std::span<char> bytes) const {
    std::size_t filled = 0;  // fewer where someone else cut the file since its size was asked
    if (const int error = file_.read(offset, bytes, filled)) fail("read", path_, error);
    return filled;
}

void sync_folder(const std::filesystem::path& folder, const std::filesystem::path& named) {
    const std::filesystem::path& here = folder.empty() ? std::filesystem::path(".") : folder;
    if (::access(here.c_str(), R_OK) != 0) return;
    const File open(here, OpenFor::keeping, "flush to disk", named);
    if (const int error = open.sync()) fail("flush to disk", named, error);
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
