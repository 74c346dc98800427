#include <algorithm>
#include <array>
#include <cerrno>
#include <memory>
#include <set>

#include "core/base/error.h"
#include "core/base/mark_text.h"
#include "core/platform/atomic_file.h"
#include "core/platform/file.h"
#include "core/platform/system_error.h"

namespace glassformer {

namespace fs = std::filesystem;

namespace {

[[noreturn]] void refuse(const fs::path& folder, const std::string& why) {
    throw Error("cannot replace \"{1}\": {2}", folder, why);
}

/// The absolute path without a trailing slash; symbolic links are followed if it exists.
fs::path resolved(const fs::path& folder) {
    if (folder.empty()) refuse(folder, N_("the folder has no name"));
    if (fs::exists(folder)) return fs::canonical(folder);
    const fs::path clean = fs::absolute(folder).lexically_normal();
    return clean.has_filename() ? clean : clean.parent_path();
}

bool holds_working_folder(const fs::path& folder) {
    const fs::path current = fs::current_path();
    for (fs::path above = current;; above = above.parent_path()) {
        if (fs::equivalent(above, folder)) return true;
        if (above == above.parent_path()) return false;
    }
}

/// Throws unless the entry, called `name` inside the folder, is one that the program writes there.
void require_ours(const fs::directory_entry& entry, const std::string& name, const FolderKind& kind,
                  const fs::path& named) {
    const fs::file_type type = entry.symlink_status().type();
    const bool ours = type == fs::file_type::regular
                          ? std::ranges::count(kind.files, name) > 0
                          : type == fs::file_type::directory &&
                                std::ranges::any_of(
                                    kind.files, [&](const std::string& file) { return file.starts_with(name + "/"); });
    if (!ours)
        refuse(named, filled_with(N_("it contains \"{1}\", which does not belong to {2}; nothing was changed, choose a "
                                     "new or empty folder"),
                                  name, kind.name));
}

/// Throws unless replacing the target can lose only files that the program itself writes.
void require_only_ours(const fs::path& target, const FolderKind& kind, const fs::path& named) {
    if (!fs::exists(target)) return;
    if (!fs::is_directory(target)) refuse(named, N_("it is a file, not a folder"));
    if (holds_working_folder(target)) refuse(named, N_("it is in use as the working folder; run from another folder"));
    if (fs::is_empty(target)) return;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(target))
        require_ours(entry, entry.path().lexically_relative(target).generic_string(), kind, named);
    if (!kind.recognize(target))
        refuse(named, filled_with(N_("it contains files, but not {1} of this program; choose a new or empty folder"),
                                  kind.name));
}

/// Removes the kind's files, and the folder if nothing else is in it. Opens nothing, so it works even without free file
/// descriptors.
bool remove_only_ours(const fs::path& folder, const FolderKind& kind) {
    std::error_code ignored;
    std::set<fs::path> inner;
    for (const std::string& file : kind.files) {
        fs::remove(folder / file, ignored);
        if (const fs::path above = fs::path(file).parent_path(); !above.empty()) inner.insert(above);
    }
    for (const fs::path& above : inner) fs::remove(folder / above, ignored);
    return fs::remove(folder, ignored) || !fs::exists(folder, ignored);
}

void sync_tree(const fs::path& folder, const fs::path& named) {
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
        if (entry.is_directory()) {
            platform::sync_folder(entry.path(), named);
        } else if (entry.is_regular_file()) {
            const platform::File file(entry.path(), platform::OpenFor::changing, "flush to disk", named);
            if (const int error = file.sync()) platform::fail_to("flush to disk", named, error);
        }
    }
    platform::sync_folder(folder, named);
}

/// Swaps the names of two folders in one step; false if the system cannot.
bool exchange(const fs::path& a, const fs::path& b, const fs::path& named) {
    const int error = platform::swap_names(a, b);
    if (error && error != ENOTSUP) platform::fail_to("replace", named, error);
    return error == 0;
}

/// Puts `staging` in the target's place by two renames; if the second fails, the target gets its name back. Returns the
/// old folder's new path.
fs::path swap_by_renames(const fs::path& staging, const fs::path& target, const fs::path& named) {
    const fs::path aside = platform::temporary_beside(target);
    if (const int error = platform::rename_over(target, aside)) platform::fail_to("replace", named, error);
    if (const int error = platform::rename_over(staging, target)) {
        if (platform::rename_over(aside, target) != 0)
            refuse(named, filled_with(N_("its old content could not be put back and is now in \"{1}\""), aside));
        platform::fail_to("replace", named, error);
    }
    return aside;
}

/// Puts the staging folder in the target's place. Returns the old folder's new path; empty if there was none.
fs::path put_in_place(const fs::path& staging, const fs::path& target, FolderSwap swap, const fs::path& named) {
    if (!fs::exists(target) || fs::is_empty(target)) {
        if (const int error = platform::rename_over(staging, target)) platform::fail_to("write", named, error);
        return {};
    }
    if (swap == FolderSwap::exchange && exchange(staging, target, named)) return staging;
    return swap_by_renames(staging, target, named);
}

/// A folder being filled. Unless it was moved to its place, the destructor removes it with its content, even if the
/// process has run out of file descriptors: some are reserved for that.
class StagingFolder {
public:
    StagingFolder(fs::path folder, const fs::path& named) : path_(std::move(folder)) {
        for (auto& file : kept_)
            file = std::make_unique<platform::File>(path_.parent_path(), platform::OpenFor::keeping, "write", named);
        remove();  // left behind by a killed process with the same id
        fs::create_directory(path_);
    }
    ~StagingFolder() {
        for (auto& file : kept_) file.reset();
        if (!path_.empty()) remove();
    }
    StagingFolder(const StagingFolder&) = delete;
    StagingFolder& operator=(const StagingFolder&) = delete;

    const fs::path& path() const { return path_; }
    /// Leaves the folder alone: it has been renamed, or now holds something else.
    void release() { path_.clear(); }

private:
    void remove() const {
        std::error_code ignored;
        fs::remove_all(path_, ignored);
    }

    fs::path path_;
    std::array<std::unique_ptr<platform::File>, 4> kept_;
};

/// Runs `run` and rethrows a filesystem_error as an Error that names the folder.
template <class Action>
void with_errors_of(const char* pattern, const fs::path& folder, const Action& run) {
    try {
        run();
    } catch (const fs::filesystem_error& error) {
        throw Error(pattern, folder, error.code().message(), error.path1());
    }
}

}  // namespace

void require_replaceable(const fs::path& folder, const FolderKind& kind) {
    with_errors_of(N_("cannot replace \"{1}\": {2} (at \"{3}\")"), folder,
                   [&] { require_only_ours(resolved(folder), kind, folder); });
}

void write_folder_atomically(const fs::path& folder, const FolderKind& kind,
                             const std::function<void(const fs::path&)>& fill, FolderSwap swap) {
    with_errors_of(N_("cannot write \"{1}\": {2} (at \"{3}\")"), folder, [&] {
        const fs::path target = resolved(folder);
        require_only_ours(target, kind, folder);
        StagingFolder staging(platform::temporary_beside(target), folder);
        fill(staging.path());
        sync_tree(staging.path(), folder);
        require_only_ours(target, kind, folder);  // again, since filling may have taken long
        const fs::path old = put_in_place(staging.path(), target, swap, folder);
        staging.release();
        platform::sync_folder(target.parent_path(), folder);
        if (!old.empty() && !remove_only_ours(old, kind))
            throw Error("\"{1}\" is written, but its old folder got other files meanwhile; they are in \"{2}\"", folder,
                        old);
    });
}

}  // namespace glassformer
