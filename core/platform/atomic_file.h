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

/// Replaces (or creates) a file so that a reader, or a power cut, finds either the old content or the new, whole:
/// writes `<name>.tmp-<pid>-<n>` in the same folder, flushes it to disk, renames it, flushes the folder. On any failure
/// (no such folder, no permission, disk full while writing or closing) the temporary is removed and the old file is
/// untouched. The one failure after the rename, flushing the folder, is reported with the new file in place.
///
/// The old file's permissions are kept; a symbolic link is followed. A device or a pipe (/dev/stdout) has nothing to
/// protect and is written in place.
void write_file_atomically(const std::filesystem::path& path, std::string_view content);

/// The same, with the content streamed by `writer`, for what should not be held in memory whole. The writer need not
/// check the stream: failed writes are found and reported afterwards. What it throws itself is passed on.
void write_file_atomically(const std::filesystem::path& path, const std::function<void(std::ostream&)>& writer);

/// The bytes of a regular file. Throws Error when it is missing, a folder, a device or a pipe, unreadable, or larger
/// than max_bytes.
std::string read_file(const std::filesystem::path& path, std::uint64_t max_bytes);

/// How write_folder_atomically puts the new folder in the place of an old one. By `exchange` the two swap names in one
/// step (Linux renameat2), so at every moment one of them is there; where the file system cannot, and by `renames`, the
/// old folder steps aside first and comes back if the new one cannot take its place.
enum class FolderSwap { exchange, renames };

/// What a program writes into one kind of folder, so that no other file is ever taken away with it.
struct FolderKind {
    std::string name;  // with its article, for messages: "a checkpoint"
    std::vector<std::string>
        files;  // every file that can be in one, by its path inside: "config.json", "source/vocab.txt"
    std::function<bool(const std::filesystem::path&)> recognize;  // whether a folder that holds some of them is one
};

/// Throws Error where write_folder_atomically would refuse to replace the folder: it is not a folder, or holds the
/// current working directory, or has an entry (a link counts as one) that is none of the kind's files, or is not empty
/// and not recognized. A folder that is not there, or empty, can always be written.
void require_replaceable(const std::filesystem::path& folder, const FolderKind& kind);

/// Replaces (or creates) a folder of several files that belong together, a checkpoint: `fill` is called with an empty
/// staging folder `<folder>.tmp-<pid>-<n>` beside the target, whose files are then flushed to disk and swapped in. When
/// fill throws, or anything else fails, the staging folder is removed and the old folder is as it was.
///
/// Of the old folder only the kind's files are removed. Throws Error as require_replaceable does, before fill is called
/// and again after it; what someone else puts into the old folder even later stays, and the Error says where. The
/// folder above the target must exist.
void write_folder_atomically(const std::filesystem::path& folder, const FolderKind& kind,
                             const std::function<void(const std::filesystem::path& staging)>& fill,
                             FolderSwap swap = FolderSwap::exchange);

}  // namespace glassformer
