#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <ios>
#include <span>
#include <string>
#include <string_view>

namespace glassformer::platform {

// Checked calls of the system on open files. Most code wants core/platform/atomic_file.h instead. `named` is the path
// that a message shows. Sizes and offsets are 64 bits wide, also where memory is addressed with 32.
// sync() is never asked of a file opened for reading: Windows flushes only what is open for writing.

/// What a file is opened for.
enum class OpenFor {
    reading,    // never waits, also when it is a pipe
    writing,    // in place; it must be there: a device
    changing,   // reading and writing anywhere; made when it is not there
    appending,  // reading, and writing at its end; made when it is not there
    creating,   // writing; it must not be there
    keeping,    // a folder: held open, and flushed where the system can
};

/// How long a file is and when it was last written to.
struct FileStamp {
    std::uint64_t size = 0;
    std::int64_t seconds = 0, nanoseconds = 0;
    bool operator==(const FileStamp&) const = default;
};

/// An open file, closed at the end of its scope. Functions that return int give 0 or a number of <cerrno>.
class File {
public:
    /// Opens, retrying interrupted calls; throws SystemError `cannot <action> "<named>": …`.
    File(const std::filesystem::path& path, OpenFor what, std::string_view action, const std::filesystem::path& named);
    ~File();
    File(const File&) = delete;
    File& operator=(const File&) = delete;

    /// The system's own handle, for the files of this room only.
    int get() const { return fd_; }
    /// Writes all the bytes.
    int write(std::string_view bytes) const;
    /// Where the next write() goes: `offset` from the file's begin, from here or from its end. Returns that place, or
    /// −1 where a file has none (a pipe, a terminal).
    std::int64_t seek(std::int64_t offset, std::ios::seekdir from) const;
    /// Flushes to disk. What cannot be flushed at all (a device) counts as flushed.
    int sync() const;
    /// Cuts or lengthens the file.
    int resize(std::uint64_t bytes) const;
    /// Fills `bytes` from that offset on and says in `count` how many there were, fewer only where the file ends.
    int read(std::uint64_t offset, std::span<char> bytes, std::size_t& count) const;
    /// Locks the file until it is closed; where another program has it locked, `taken` is false. False when the file
    /// cannot be locked at all, with the reason in errno.
    bool try_lock(bool& taken) const;
    /// Gives the file the permissions of another one.
    int keep_permissions_of(const std::filesystem::path& other) const;
    /// Whether this open file is the one that the path names now: not after someone deleted or replaced it.
    bool is_at(const std::filesystem::path& path) const;
    /// Its length. EISDIR where it is a folder, EINVAL where it is a device or a pipe.
    int regular_size(std::uint64_t& bytes) const;
    /// All zeros when the system does not tell.
    FileStamp stamp() const;
    /// Closes now. Some file systems report a full disk only here.
    int close();

private:
    int fd_ = -1;
};

/// A regular file, open for reading. Throws SystemError when it is missing, a folder, a device or a pipe, unreadable,
/// or larger than max_bytes; Error when it is what Git LFS leaves in the place of a file that it did not fetch.
class RegularFile {
public:
    RegularFile(const std::filesystem::path& path, std::uint64_t max_bytes);

    /// Its length when it was opened.
    std::uint64_t size() const { return size_; }
    /// Fills `bytes` from that offset; returns how many there were, fewer only where the file ends. Throws SystemError.
    std::size_t read(std::uint64_t offset, std::span<char> bytes) const;

private:
    void refuse_lfs_pointer() const;

    std::filesystem::path path_;
    File file_;
    std::uint64_t size_ = 0;
};

/// Flushes a folder's list of names to disk; throws SystemError. A folder that may not be opened for reading is left
/// out.
void sync_folder(const std::filesystem::path& folder, const std::filesystem::path& named);

/// Gives a file another name, at once, in the place of what has that name.
int rename_over(const std::filesystem::path& from, const std::filesystem::path& to);
/// Swaps the names of two folders in one step. ENOTSUP where the system or the disk cannot.
int swap_names(const std::filesystem::path& a, const std::filesystem::path& b);

/// Whether the program may write to the file, or make files in the folder.
bool may_write(const std::filesystem::path& path);

/// `<file><suffix>`, or `<file><suffix>-2` and so on: a name beside the file that nothing has.
std::filesystem::path free_name(const std::filesystem::path& file, const std::string& suffix);

/// `<path>.tmp-<pid>-<n>`: in the same folder, and different for every call in this process.
std::filesystem::path temporary_beside(const std::filesystem::path& path);
/// Whether the file's name is one that temporary_beside gave.
bool is_temporary(const std::filesystem::path& path);

}  // namespace glassformer::platform
