#pragma once

#include <span>
#include <string>
#include <string_view>

#include "core/train/task.h"

namespace glassformer {

/// The file with a world's language. Messages name it; without folder and extension, its name is the world's name.
struct WorldFile {
    std::string name, text;
};

/// A world before its language is read. Each is defined in the file named after it.
struct WorldKind {
    std::string_view name;           ///< on the command line and in checkpoints: "order"
    std::string_view summary;        ///< one line for the menus: "Only the order of the words decides the meaning."
    std::string_view reads, learns;  ///< what its model reads, and what it learns to do: "a sentence with masked words"
    /// Creates the complete task. `file` holds the language; it is empty for a world without one.
    Task (*make)(const WorldFile& file);
    std::string_view file = {};  ///< file name in the worlds folder: "order.words"; empty: the world needs no file
    /// The word list that identifies a user's file as this world's: the first kind whose list the file has is chosen.
    /// Empty: the file's extension is enough.
    std::string_view own_list = {};
};

/// Every world with its own kind, in menu order. registry.cpp lists them.
std::span<const WorldKind* const> world_kinds();

/// The world that the window opens with.
extern const WorldKind homonyms_world;

/// Any text. text_task() creates its task.
extern const WorldKind text_world;

}  // namespace glassformer
