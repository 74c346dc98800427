#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string_view>

namespace glassformer::posix {

// Checked system calls, shared by the files of core/io; not for use outside it. `named` is the path that a message
// shows: the one that the person gave, not the temporary beside it.

/// Throws Error: `cannot <action> "<path>": <reason>; <what to do>`, for a system error number.
[[noreturn]] void fail(std::string_view action, const std::filesystem::path& named, int error);

/// A file descriptor, closed at the end of its scope.
class Descriptor {
public:
    /// Opens, retrying interrupted calls; throws Error.
    Descriptor(const std::filesystem::path& path, int flags, mode_t mode, std::string_view action,
               const std::filesystem::path& named);
    ~Descriptor();
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;

    int get() const { return fd_; }
    /// Writes all the bytes; returns 0 or the error number.
    int write(std::string_view bytes) const;
    /// Flushes to disk; returns 0 or the error number. What cannot be flushed at all (a device) counts as flushed.
    int sync() const;
    /// Closes now; returns 0 or the error number. Some file systems report a full disk only here.
    int close();

private:
    int fd_ = -1;
};

/// Flushes a folder's list of names to disk; throws Error. A folder that may not be opened for reading is left out.
void sync_folder(const std::filesystem::path& folder, const std::filesystem::path& named);

/// `<path>.tmp-<pid>-<n>`: in the same folder, and different for every call in this process.
std::filesystem::path temporary_beside(const std::filesystem::path& path);

}  // namespace glassformer::posix
