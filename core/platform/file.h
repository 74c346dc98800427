#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <ios>
#include <span>
#include <string>
#include <string_view>

namespace glassformer::platform {

// Checked system calls on open files. Most code should use core/platform/atomic_file.h instead. `named` is the path
// shown in messages. Sizes and offsets have 64 bits, even where pointers have 32.
// Never call sync() on a file opened for reading: Windows flushes only files open for writing.

/// The purpose for which a file is opened.
enum class OpenFor {
    reading,    // never blocks, even on a pipe
    writing,    // in place; the file must exist: a device
    changing,   // reading and writing anywhere; created if missing
    appending,  // reading, and writing at its end; created if missing
    creating,   // writing; the file must not exist
    keeping,    // a folder: kept open, and flushed if the system can
};

/// A file's size and the time of its last modification.
struct FileStamp {
    std::uint64_t size = 0;
    std::int64_t seconds = 0, nanoseconds = 0;
    bool operator==(const FileStamp&) const = default;
};

/// An open file (RAII). Functions that return int return 0 or an error number of <cerrno>.
class File {
public:
    /// Opens the file, retrying interrupted calls. Throws SystemError `cannot <action> "<named>": …`.
    File(const std::filesystem::path& path, OpenFor what, std::string_view action, const std::filesystem::path& named);
    ~File();
    File(const File&) = delete;
    File& operator=(const File&) = delete;

    /// The system's handle, for use inside this folder only.
    int get() const { return fd_; }
    /// Writes all the bytes.
    int write(std::string_view bytes) const;
    /// Sets the position of the next write(): `offset` from the file's beginning, from here or from its end. Returns
    /// the new position, or −1 if the file has none (a pipe, a terminal).
    std::int64_t seek(std::int64_t offset, std::ios::seekdir from) const;
    /// Flushes to disk. What cannot be flushed (a device) counts as flushed.
    int sync() const;
    /// Truncates or extends the file.
    int resize(std::uint64_t bytes) const;
    /// Reads `bytes` from that offset and sets `count` to the number read, smaller only at the end of the file.
    int read(std::uint64_t offset, std::span<char> bytes, std::size_t& count) const;
    /// Locks the file until it is closed; sets `taken` to false if another program holds the lock. Returns false if the
    /// file cannot be locked at all, with the reason in errno.
    bool try_lock(bool& taken) const;
    /// Copies the permissions of another file.
    int keep_permissions_of(const std::filesystem::path& other) const;
    /// True if the path still names this open file: false after someone deleted or replaced it.
    bool is_at(const std::filesystem::path& path) const;
    /// The file's length. EISDIR for a folder, EINVAL for a device or a pipe.
    int regular_size(std::uint64_t& bytes) const;
    /// All zeros if the system does not report it.
    FileStamp stamp() const;
    /// Closes the file now. Some file systems report a full disk only here.
    int close();

private:
    int fd_ = -1;
};

/// A regular file, open for reading. Throws SystemError if it is missing, a folder, a device or a pipe, unreadable, or
/// larger than max_bytes; Error if it is a pointer that Git LFS left in place of a file it did not fetch.
class RegularFile {
public:
    RegularFile(const std::filesystem::path& path, std::uint64_t max_bytes);

    /// The length when it was opened.
    std::uint64_t size() const { return size_; }
    /// Reads `bytes` from that offset; returns the number read, which is smaller only at the end. Throws SystemError.
    std::size_t read(std::uint64_t offset, std::span<char> bytes) const;

private:
    void refuse_lfs_pointer() const;

    std::filesystem::path path_;
    File file_;
    std::uint64_t size_ = 0;
};

/// Flushes a folder's directory entries to disk. Throws SystemError. Skips a folder without read permission.
void sync_folder(const std::filesystem::path& folder, const std::filesystem::path& named);

/// Renames a file atomically, replacing any file of the new name.
int rename_over(const std::filesystem::path& from, const std::filesystem::path& to);
/// Swaps the names of two folders in one step. ENOTSUP if the system or the disk cannot.
int swap_names(const std::filesystem::path& a, const std::filesystem::path& b);

/// True if the program may write to the file, or create files in the folder.
bool may_write(const std::filesystem::path& path);
/// Returns 0 if the program may create a file or a folder of this name, which does not exist yet; otherwise an error
/// number of <cerrno>. Leaves nothing behind.
int creation_error(const std::filesystem::path& path);

/// `<file><suffix>`, or `<file><suffix>-2` and so on: a name beside the file that does not exist yet.
std::filesystem::path free_name(const std::filesystem::path& file, const std::string& suffix);

/// `<path>.tmp-<pid>-<n>`: in the same folder, and different in each call of this process.
std::filesystem::path temporary_beside(const std::filesystem::path& path);
/// True if the file's name is one that temporary_beside could have returned.
bool is_temporary(const std::filesystem::path& path);

}  // namespace glassformer::platform
