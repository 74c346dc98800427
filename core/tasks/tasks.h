#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/train/task.h"

namespace glassformer {

/// What a person may choose about a world besides its name.
struct TaskOptions {
    std::optional<std::string> unit = {};  // texts only: "characters" (where not given), "words" or "byte_pairs"
};

/// The names of all worlds: the built-in ones, then those with a file in the folder, in alphabetical order.
std::vector<std::string> world_names(const std::filesystem::path& worlds_folder);

/// The task of a world. `world` is one of world_names(), the path of a grammar of homonyms (*.grammar) or of the word
/// lists of another world (*.words; its lists tell which), or the path of a text file, with or without "text:" before
/// it. Throws Error when there is no such world (listing what there is, the nearest name first), naming the file when
/// it cannot be used, and for a unit where the world is no text.
std::unique_ptr<Task> make_task(const std::string& world, const std::filesystem::path& worlds_folder,
                                const TaskOptions& options = {});

}  // namespace glassformer
