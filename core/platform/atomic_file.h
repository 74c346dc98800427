#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

namespace glassformer {

// Reading and replacing files. Every failure throws Error with the path, the system's reason and what to do.

/// Creates or replaces a file so that a reader, even after a power cut, finds either the old or the new content, whole:
/// writes `<name>.tmp-<pid>-<n>` in the same folder, flushes it to disk, renames it, flushes the folder. On any failure
/// (no such folder, no permission, disk full while writing or closing) the temporary is removed and the old file is
/// untouched. The one exception is flushing the folder: if that fails, the new file is in place despite the error.
///
/// Keeps the old file's permissions and follows a symbolic link. A device or a pipe (/dev/stdout) has nothing to
/// protect and is written in place.
void write_file_atomically(const std::filesystem::path& path, std::string_view content);

/// The same, with the content streamed by `writer`, for what should not be held in memory at once. The writer need not
/// check the stream: failed writes are detected and reported afterwards. Its own exceptions are passed on.
void write_file_atomically(const std::filesystem::path& path, const std::function<void(std::ostream&)>& writer);

/// Reads a regular file. Throws Error if it is missing, a folder, a device or a pipe, unreadable, or larger than
/// max_bytes.
std::string read_file(const std::filesystem::path& path, std::uint64_t max_bytes);

/// How write_folder_atomically replaces an old folder. `exchange` swaps the two names in one step (Linux renameat2), so
/// one of them exists at every moment. With `renames`, or if the file system cannot exchange, the old folder is first
/// moved aside, and moved back if the new one cannot take its place.
enum class FolderSwap { exchange, renames };

/// What the program writes into one kind of folder, so that no other file is ever removed with it.
struct FolderKind {
    std::string name;  // with its article, for messages: "a checkpoint"
    std::vector<std::string>
        files;  // every file that can be in one, by its path inside: "config.json", "source/vocab.txt"
    std::function<bool(const std::filesystem::path&)> recognize;  // true if a folder that has some of them is one
};

/// Throws Error if write_folder_atomically would refuse to replace the folder: it is not a folder, or contains the
/// current working directory, or has an entry (even a link) that is not one of the kind's files, or is neither empty
/// nor recognised. A missing or empty folder can always be written.
void require_replaceable(const std::filesystem::path& folder, const FolderKind& kind);

/// Creates or replaces a folder of files that belong together, such as a checkpoint: calls `fill` with an empty staging
/// folder `<folder>.tmp-<pid>-<n>` beside the target, flushes its files to disk and swaps it in. If fill throws or
/// anything else fails, the staging folder is removed and the old folder is unchanged.
///
/// Only the kind's files are removed from the old folder. Throws Error like require_replaceable, both before and after
/// calling fill; files that someone adds to the old folder even later are kept, and the Error says where. The parent
/// folder must exist.
void write_folder_atomically(const std::filesystem::path& folder, const FolderKind& kind,
                             const std::function<void(const std::filesystem::path& staging)>& fill,
                             FolderSwap swap = FolderSwap::exchange);

}  // namespace glassformer
