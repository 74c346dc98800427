#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/tasks/world_kind.h"
#include "core/train/task.h"

namespace glassformer {

/// What a person may choose about a world besides its name.
struct TaskOptions {
    std::optional<std::string> unit = {};  // texts only: "characters" (where not given), "words" or "byte_pairs"
};

/// A world that can be chosen by its name. A text has the kind text_world.
struct ListedWorld {
    std::string name;
    const WorldKind* kind = nullptr;
};

/// All worlds: those without a file, then those with one in the folder, in alphabetical order.
std::vector<ListedWorld> worlds_in(const std::filesystem::path& worlds_folder);
std::vector<std::string> world_names(const std::filesystem::path& worlds_folder);

/// The task of a world. `world` is one of world_names(), the path of a file in the form that a world's own file has
/// (*.grammar, *.words), or the path of a text file, with or without "text:" before it. Throws Error when there is no
/// such world (listing what there is, the nearest name first), naming the file when it cannot be used, and for a unit
/// where the world is no text.
std::unique_ptr<Task> make_task(const std::string& world, const std::filesystem::path& worlds_folder,
                                const TaskOptions& options = {});

/// The world that a checkpoint or a run carries, with the tokenizer of its model; options.unit cuts a text otherwise.
/// Throws Error where it cannot be made of that, and when a text that is not carried whole is to be cut otherwise.
std::unique_ptr<Task> make_task(const WorldSource& source, const std::shared_ptr<const Tokenizer>& tokenizer,
                                const TaskOptions& options = {});

}  // namespace glassformer
