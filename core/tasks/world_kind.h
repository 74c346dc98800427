#pragma once

#include <span>
#include <string>
#include <string_view>

#include "core/train/task.h"

namespace glassformer {

/// The file that holds a world's language, read. Messages name it, and its name without folder and ending is the
/// world's.
struct WorldFile {
    std::string name, text;
};

/// One world, as it is known before its language is read. Each is defined in the file of its name.
struct WorldKind {
    std::string_view name;           ///< on the command line and in checkpoints: "order"
    std::string_view summary;        ///< one line for the menus: "Only the order of the words decides the meaning."
    std::string_view reads, learns;  ///< what its model reads, and learns to do: "a sentence with masked words"
    /// Says all about the task. `file` holds the language; it is empty for a world without one.
    Task (*make)(const WorldFile& file);
    std::string_view file = {};  ///< in the worlds folder: "order.words"; empty: the world needs no file
    /// A word list by which a file of one's own is known as this world's, the first kind that has it; empty: the file's
    /// ending tells enough.
    std::string_view own_list = {};
};

/// Every world that has a kind of its own, in the order of the menus. registry.cpp lists them.
std::span<const WorldKind* const> world_kinds();

/// The world that the window opens with.
extern const WorldKind homonyms_world;

/// Any text, whose words for people are those of the others; text_task() says all about its task.
extern const WorldKind text_world;

}  // namespace glassformer
