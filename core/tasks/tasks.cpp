#include "core/tasks/tasks.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/tasks/built_in_tasks.h"
#include "core/tasks/coreference_task.h"
#include "core/tasks/homonyms_task.h"
#include "core/tasks/order_task.h"
#include "core/tasks/text_task.h"
#include "core/tasks/translation_task.h"
#include "core/text/edit_distance.h"
#include "core/text/utf8.h"
#include "core/worlds/word_lists.h"

namespace glassformer {

namespace {

namespace fs = std::filesystem;

struct BuiltInWorld {
    std::string_view name;
    std::unique_ptr<Task> (*make)();
};

constexpr BuiltInWorld built_in_worlds[] = {{"induction", induction_task},
                                            {"copying", copying_task},
                                            {"sorting", sorting_task},
                                            {"regression", regression_task}};

/// A world whose language is a file of the worlds folder ("order.words"), the list that only such a file has, and what
/// makes the task of the file, or of another of its kind.
struct FolderWorld {
    std::string name, file, own_list;
    std::unique_ptr<Task> (*make)(const fs::path& file);
};

const std::vector<FolderWorld>& folder_worlds() {
    static const std::vector<FolderWorld> worlds = {
        {"homonyms", "homonyms.grammar", "", make_homonyms_task},
        {"coreference", "coreference.words", "of_animal", make_coreference_task},
        {"order", "order.words", "positive", make_order_task},
        {"translation", "translation.words", "article", make_translation_task}};
    return worlds;
}

std::unique_ptr<Task> task_of_lists(const std::string& file) {
    const WordLists lists = WordLists::load(file);
    std::string kinds;
    for (const FolderWorld& known : folder_worlds()) {
        if (known.own_list.empty()) continue;
        if (lists.has(known.own_list)) return known.make(file);
        kinds += (kinds.empty() ? "" : ", ") + known.file + " has a list '" + known.own_list + "'";
    }
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
    for (const BuiltInWorld& known : built_in_worlds)
        if (known.name == world) return known.make();
    for (const FolderWorld& known : folder_worlds())
        if (known.name == world) return known.make(worlds_folder / known.file);
    if (world.starts_with(text_prefix)) return nullptr;
    if (world.ends_with(".grammar")) return make_homonyms_task(world);
    if (world.ends_with(".words")) return task_of_lists(world);
    return nullptr;
}

}  // namespace

std::vector<std::string> world_names(const fs::path& worlds_folder) {
    std::vector<std::string> names, from_files = texts_in(worlds_folder);
    for (const BuiltInWorld& world : built_in_worlds) names.emplace_back(world.name);
    for (const FolderWorld& world : folder_worlds())
        if (fs::exists(worlds_folder / world.file)) from_files.push_back(world.name);
    std::ranges::sort(from_files);
    names.insert(names.end(), from_files.begin(), from_files.end());
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
