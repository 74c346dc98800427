#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "core/base/error.h"

namespace glassformer::posix {

// Checked system calls, shared by the files of core/io; not for use outside it. `named` is the path that a message
// shows: the one that the person gave, not the temporary beside it.

/// The system refused something. What it says is not about a file's content: the same call may succeed later.
class SystemError : public Error {
public:
    SystemError(const std::string& message, int code) : Error(message), code_(code) {}
    /// The system's number for it: ENOENT, EACCES, EIO …
    int code() const { return code_; }

private:
    int code_;
};

/// Throws SystemError: `cannot <action> "<path>": <reason>; <what to do>`, for a system error number.
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
    /// Cuts or lengthens the file; returns 0 or the error number.
    int resize(std::uint64_t bytes) const;
    /// Fills `bytes` from that offset on and says in `count` how many there were, fewer only where the file ends;
    /// returns 0 or the error number.
    int read(std::uint64_t offset, std::span<char> bytes, std::size_t& count) const;
    /// Whether this open file is the one that the path names now: not after someone deleted or replaced it.
    bool is_at(const std::filesystem::path& path) const;
    /// Closes now; returns 0 or the error number. Some file systems report a full disk only here.
    int close();

private:
    int fd_ = -1;
};

/// A regular file, open for reading. Throws Error when it is missing, a folder, a device or a pipe, unreadable, or
/// larger than max_bytes.
class RegularFile {
public:
    RegularFile(const std::filesystem::path& path, std::uint64_t max_bytes);

    /// Its length when it was opened.
    std::uint64_t size() const { return size_; }
    /// Fills `bytes` from that offset; returns how many there were, fewer only where the file ends. Throws Error.
    std::size_t read(std::uint64_t offset, std::span<char> bytes) const;

private:
    std::filesystem::path path_;
    Descriptor file_;
    std::uint64_t size_ = 0;
};

/// Flushes a folder's list of names to disk; throws Error. A folder that may not be opened for reading is left out.
void sync_folder(const std::filesystem::path& folder, const std::filesystem::path& named);

/// `<path>.tmp-<pid>-<n>`: in the same folder, and different for every call in this process.
std::filesystem::path temporary_beside(const std::filesystem::path& path);
/// Whether the file's name is one that temporary_beside gave.
bool is_temporary(const std::filesystem::path& path);

}  // namespace glassformer::posix
