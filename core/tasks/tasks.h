#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/tasks/world_kind.h"
#include "core/train/task.h"

namespace glassformer {

/// What the user may choose about a world besides its name.
struct TaskOptions {
    std::optional<std::string> unit = {};  // texts only: "characters" (the default), "words" or "byte_pairs"
};

/// A world that can be selected by name. A text has the kind text_world.
struct ListedWorld {
    std::string name;
    const WorldKind* kind = nullptr;
};

/// All worlds: first those without a file, then those with one in the folder, in alphabetical order.
std::vector<ListedWorld> worlds_in(const std::filesystem::path& worlds_folder);
std::vector<std::string> world_names(const std::filesystem::path& worlds_folder);

/// Creates the task of a world. `world` is one of world_names(), the path of a file in the format of a world's own file
/// (*.grammar, *.words), or the path of a text file, optionally after "text:". Throws Error if there is no such world
/// (listing the existing ones, nearest name first), if the file cannot be used (naming it), or if a unit is given and
/// the world is not a text.
std::unique_ptr<Task> make_task(const std::string& world, const std::filesystem::path& worlds_folder,
                                const TaskOptions& options = {});

/// Recreates the world carried by a checkpoint or a run, with the tokenizer of its model. options.unit cuts a text
/// differently. Throws Error if the source is not usable, or if a text that is not carried whole is to be cut
/// differently.
std::unique_ptr<Task> make_task(const WorldSource& source, const std::shared_ptr<const Tokenizer>& tokenizer,
                                const TaskOptions& options = {});

}  // namespace glassformer
