#include "core/tasks/tasks.h"

#include <algorithm>
#include <optional>

#include "core/base/error.h"
#include "core/tasks/text_task.h"
#include "core/tasks/world_kind.h"
#include "core/text/edit_distance.h"
#include "core/text/utf8.h"
#include "core/worlds/word_lists.h"

namespace glassformer {

namespace {

namespace fs = std::filesystem;

/// The world that a file of one's own is written for: by its ending, and where several worlds share one, by the list
/// that only its files have. Null where the ending is of no world.
const WorldKind* kind_of_file(const std::string& file) {
    const std::string ending = fs::path(file).extension().string();
    std::optional<WordLists> lists;
    std::string kinds;
    for (const WorldKind* kind : world_kinds) {
        if (kind->file.empty() || fs::path(kind->file).extension() != ending) continue;
        if (kind->own_list.empty()) return kind;
        if (!lists) lists = WordLists::load(file);
        if (lists->has(kind->own_list)) return kind;
        kinds +=
            (kinds.empty() ? "" : ", ") + std::string(kind->file) + " has a list '" + std::string(kind->own_list) + "'";
    }
    if (!lists) return nullptr;
    throw Error(file + ": is like none of the known files of word lists: " + kinds);
}

constexpr std::string_view text_prefix = "text:";

/// Names of the texts that lie in the folder, without their ending ".txt".
std::vector<std::string> texts_in(const fs::path& folder) {
    std::vector<std::string> names;
    std::error_code unreadable;
    for (const auto& entry : fs::directory_iterator(folder, unreadable))
        if (entry.path().extension() == ".txt") names.push_back(entry.path().stem().string());
    std::ranges::sort(names);
    return names;
}

[[noreturn]] void throw_unknown(const std::string& world, const fs::path& folder) {
    std::vector<std::string> names = world_names(folder);
    const bool readable = is_valid_utf8(world);
    const auto distance = [&](const std::string& name) {
        return readable ? edit_distance(code_points(world).substr(0, 64), code_points(name)) : 0;
    };
    std::ranges::stable_sort(names, {}, distance);
    std::string list;
    for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
    throw Error("there is no world \"" + world + "\"; there are " + list + ", and any text file, given by its path");
}

/// Null where the world is a text, or unknown.
std::unique_ptr<Task> task_without_text(const std::string& world, const fs::path& worlds_folder) {
    for (const WorldKind* kind : world_kinds)
        if (kind->name == world) return kind->make(kind->file.empty() ? fs::path() : worlds_folder / kind->file);
    if (world.starts_with(text_prefix)) return nullptr;
    const WorldKind* kind = kind_of_file(world);
    return kind ? kind->make(world) : nullptr;
}

}  // namespace

std::vector<ListedWorld> worlds_in(const fs::path& worlds_folder) {
    std::vector<ListedWorld> listed, from_files;
    for (const WorldKind* kind : world_kinds)
        if (kind->file.empty())
            listed.push_back({std::string(kind->name), kind});
        else if (fs::exists(worlds_folder / kind->file))
            from_files.push_back({std::string(kind->name), kind});
    for (const std::string& text : texts_in(worlds_folder)) from_files.push_back({text, &text_world});
    std::ranges::sort(from_files, {}, &ListedWorld::name);
    listed.insert(listed.end(), from_files.begin(), from_files.end());
    return listed;
}

std::vector<std::string> world_names(const fs::path& worlds_folder) {
    std::vector<std::string> names;
    for (ListedWorld& world : worlds_in(worlds_folder)) names.push_back(std::move(world.name));
    return names;
}

std::unique_ptr<Task> make_task(const std::string& world, const fs::path& worlds_folder, const TaskOptions& options) {
    if (std::unique_ptr<Task> task = task_without_text(world, worlds_folder)) {
        if (options.unit) throw Error("the world \"" + world + "\" is no text: it cannot be cut into " + *options.unit);
        return task;
    }
    const std::string unit = options.unit.value_or("characters");
    if (std::ranges::count(texts_in(worlds_folder), world) > 0)
        return text_task(world, worlds_folder / (world + ".txt"), unit);
    if (world.starts_with(text_prefix) && world.size() > text_prefix.size())
        return text_task(world, world.substr(text_prefix.size()), unit);
    // What looks like a path is one; reading it says what is wrong with it.
    if (world.find_first_of("/.") != std::string::npos) return text_task(std::string(text_prefix) + world, world, unit);
    throw_unknown(world, worlds_folder);
}

}  // namespace glassformer
