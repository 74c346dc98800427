#include "core/tasks/tasks.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/base/join.h"
#include "core/base/mark_text.h"
#include "core/tasks/text_task.h"
#include "core/text/text_file.h"
#include "core/text/utf8.h"
#include "core/text/words.h"
#include "core/worlds/user_text.h"
#include "core/worlds/word_lists.h"
#include "core/worlds/world.h"

namespace glassformer {

namespace {

namespace fs = std::filesystem;

/// The world that a user's file is written for: by its extension or, if several worlds share one, by the list that only
/// its files have.
const WorldKind& kind_of(const WorldFile& file) {
    const std::string ending = fs::path(file.name).extension().string();
    std::optional<WordLists> lists;
    std::string kinds;
    for (const WorldKind* kind : world_kinds()) {
        if (kind->file.empty() || fs::path(kind->file).extension() != ending) continue;
        if (kind->own_list.empty()) return *kind;
        if (!lists) lists = WordLists::parse(file.text, file.name);
        if (lists->has(kind->own_list)) return *kind;
        const std::string has = filled_with(N_("{1} has a list '{2}'"), kind->file, kind->own_list);
        kinds = kinds.empty() ? has : filled_with(N_("{1}, {2}"), kinds, has);
    }
    throw Error("{1}: matches none of the known kinds of word lists: {2}", file.name, kinds);
}

/// True if this extension belongs to a world's file rather than a text.
bool is_of_a_kind(const fs::path& file) {
    return std::ranges::any_of(world_kinds(), [&](const WorldKind* kind) {
        return !kind->file.empty() && fs::path(kind->file).extension() == file.extension();
    });
}

WorldFile read_world(const fs::path& file) {
    static_assert(World::max_file_bytes == WordLists::max_file_bytes);
    return {file.string(), read_text_file(file, World::max_file_bytes)};
}

WorldFile read_text(const fs::path& file) { return {file.string(), read_text_file(file, UserText::max_bytes)}; }

constexpr std::string_view text_prefix = "text:";

/// Names of the texts in the folder, without ".txt".
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
    throw Error("there is no world \"{1}\"; there are {2}, and any text file, given by its path", world,
                join(names, ", "));
}

/// A world that comes with the program needs no source: it is found by its name.
std::unique_ptr<Task> shipped(Task task) {
    task.source = nullptr;
    return std::make_unique<Task>(std::move(task));
}

std::unique_ptr<Task> task_of_own_file(const WorldFile& file) {
    const WorldKind& kind = kind_of(file);
    Task task = kind.make(file);
    task.source = std::make_shared<const WorldSource>(
        WorldSource{std::string(kind.name), fs::path(file.name).filename().string(), file.text});
    return std::make_unique<Task>(std::move(task));
}

/// Null if the world is a text, or unknown.
std::unique_ptr<Task> task_without_text(const std::string& world, const fs::path& worlds_folder) {
    for (const WorldKind* kind : world_kinds())
        if (kind->name == world)
            return shipped(kind->make(kind->file.empty() ? WorldFile{} : read_world(worlds_folder / kind->file)));
    if (world.starts_with(text_prefix) || !is_of_a_kind(world)) return nullptr;
    return task_of_own_file(read_world(world));
}

std::unique_ptr<Task> task_of_own_text(const fs::path& file, const std::string& unit) {
    return std::make_unique<Task>(text_task(read_text(file), unit));
}

}  // namespace

std::vector<ListedWorld> worlds_in(const fs::path& worlds_folder) {
    std::vector<ListedWorld> listed, from_files;
    for (const WorldKind* kind : world_kinds())
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
        if (options.unit)
            throw Error("the world \"{1}\" is not a text: it cannot be cut into {2}", world, *options.unit);
        return task;
    }
    const std::string unit = options.unit.value_or("characters");
    if (std::ranges::count(texts_in(worlds_folder), world) > 0)
        return shipped(text_task(read_text(worlds_folder / (world + ".txt")), unit));
    if (world.starts_with(text_prefix) && world.size() > text_prefix.size())
        return task_of_own_text(world.substr(text_prefix.size()), unit);
    // Treat it as a path if it looks like one; reading it reports what is wrong.
    if (world.find_first_of("/.") != std::string::npos) return task_of_own_text(world, unit);
    throw_unknown(world, worlds_folder);
}

std::unique_ptr<Task> make_task(const WorldSource& source, const std::shared_ptr<const Tokenizer>& tokenizer,
                                const TaskOptions& options) {
    if (!source.is_text()) {
        if (options.unit)
            throw Error("the world {1} is not a text: it cannot be cut into {2}", source.file, *options.unit);
        const WorldFile file{source.file, source.content};
        for (const WorldKind* kind : world_kinds()) {
            if (kind->name != source.kind) continue;
            Task task = kind->make(file);
            task.source = std::make_shared<const WorldSource>(source);
            return std::make_unique<Task>(std::move(task));
        }
        throw Error("the world {1} is of the kind \"{2}\", which this program does not know", source.file, source.kind);
    }
    const std::string unit = options.unit.value_or(source.unit);
    if (!source.content.empty()) return std::make_unique<Task>(text_task({source.file, source.content}, unit));
    if (unit != source.unit)
        throw Error("the text {1} is cut into {2} here; to cut it differently, give the file of the whole text",
                    source.file, source.unit);
    return std::make_unique<Task>(held_out_text_task(source, tokenizer));
}

}  // namespace glassformer
