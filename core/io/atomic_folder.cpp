#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

#include "core/base/error.h"
#include "core/io/atomic_file.h"
#include "core/io/posix_file.h"

namespace glassformer {

namespace fs = std::filesystem;

namespace {

[[noreturn]] void refuse(const fs::path& folder, const std::string& why) {
    throw Error("cannot replace \"" + folder.string() + "\": " + why);
}

/// The folder without a trailing slash, symbolic links followed where it exists.
fs::path resolved(const fs::path& folder) {
    if (folder.empty()) refuse(folder, "the folder has no name");
    if (fs::exists(folder)) return fs::canonical(folder);
    const fs::path clean = folder.lexically_normal();
    return clean.has_filename() ? clean : clean.parent_path();
}

bool holds_working_folder(const fs::path& folder) {
    const fs::path current = fs::current_path();
    for (fs::path above = current;; above = above.parent_path()) {
        if (fs::equivalent(above, folder)) return true;
        if (above == above.parent_path()) return false;
    }
}

/// Throws unless replacing the target can lose nothing but a checkpoint.
void require_replaceable(const fs::path& target, const fs::path& named) {
    if (!fs::exists(target)) return;
    if (!fs::is_directory(target)) refuse(named, "it is a file, not a folder");
    if (!fs::is_empty(target) && !fs::exists(target / "config.json"))
        refuse(named,
               "it holds other files and no config.json, so it is not a checkpoint; choose a new or empty folder");
    if (holds_working_folder(target)) refuse(named, "it is in use as the working folder; run from another folder");
}

void sync_tree(const fs::path& folder, const fs::path& named) {
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
        if (entry.is_directory()) {
            posix::sync_folder(entry.path(), named);
        } else if (entry.is_regular_file()) {
            const posix::Descriptor file(entry.path(), O_RDONLY, 0, "flush to disk", named);
            if (const int error = file.sync()) posix::fail("flush to disk", named, error);
        }
    }
    posix::sync_folder(folder, named);
}

/// Swaps the names of two folders in one step; false where the system cannot.
bool exchange(const fs::path& a, const fs::path& b, const fs::path& named) {
#ifdef SYS_renameat2
    constexpr unsigned rename_exchange = 2;  // RENAME_EXCHANGE of <linux/fs.h>
    if (::syscall(SYS_renameat2, AT_FDCWD, a.c_str(), AT_FDCWD, b.c_str(), rename_exchange) == 0) return true;
    if (errno != ENOSYS && errno != EINVAL) posix::fail("replace", named, errno);
#endif
    return false;
}

/// Swaps the names of two folders by three renames; the target goes back to its name when a later one fails.
void swap_by_renames(const fs::path& staging, const fs::path& target, const fs::path& named) {
    const fs::path aside = posix::temporary_beside(target);
    if (std::rename(target.c_str(), aside.c_str()) != 0) posix::fail("replace", named, errno);
    if (std::rename(staging.c_str(), target.c_str()) != 0) {
        const int error = errno;
        if (std::rename(aside.c_str(), target.c_str()) != 0)
            refuse(named, "its old content could not be put back and is now in \"" + aside.string() + "\"");
        posix::fail("replace", named, error);
    }
    // The new folder is in place: a failure from here on only leaves the old one behind under another name.
    if (std::rename(aside.c_str(), staging.c_str()) != 0) {
        std::error_code ignored;
        fs::remove_all(aside, ignored);
    }
}

/// Puts the staging folder in the target's place; what was there, if anything, is then under the staging name.
void put_in_place(const fs::path& staging, const fs::path& target, FolderSwap swap, const fs::path& named) {
    if (!fs::exists(target) || fs::is_empty(target)) {
        if (std::rename(staging.c_str(), target.c_str()) != 0) posix::fail("write", named, errno);
    } else if (swap == FolderSwap::renames || !exchange(staging, target, named)) {
        swap_by_renames(staging, target, named);
    }
}

/// Removes the staging folder, whatever it holds, when the scope ends.
struct StagingFolder {
    explicit StagingFolder(const fs::path& folder) : path(folder) { remove(); }
    ~StagingFolder() { remove(); }
    StagingFolder(const StagingFolder&) = delete;
    StagingFolder& operator=(const StagingFolder&) = delete;

    void remove() const {
        std::error_code ignored;
        fs::remove_all(path, ignored);
    }

    const fs::path path;
};

}  // namespace

void write_folder_atomically(const fs::path& folder, const std::function<void(const fs::path&)>& fill,
                             FolderSwap swap) {
    try {
        const fs::path target = resolved(folder);
        require_replaceable(target, folder);
        const StagingFolder staging(posix::temporary_beside(target));
        fs::create_directory(staging.path);
        fill(staging.path);
        sync_tree(staging.path, folder);
        require_replaceable(target, folder);  // again: filling may have taken long
        put_in_place(staging.path, target, swap, folder);
        posix::sync_folder(target.parent_path(), folder);
    } catch (const fs::filesystem_error& error) {
        throw Error("cannot write \"" + folder.string() + "\": " + error.code().message() + " (at \"" +
                    error.path1().string() + "\")");
    }
}

}  // namespace glassformer
