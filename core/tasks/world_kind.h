#pragma once

#include <string>
#include <string_view>

#include "core/train/task_definition.h"

namespace glassformer {

/// The file that holds a world's language, read. Messages name it, and its name without folder and ending is the
/// world's.
struct WorldFile {
    std::string name, text;
};

/// One world, as it is known before its language is read. Each is defined in the file of its name.
struct WorldKind {
    std::string_view name;           ///< on the command line and in checkpoints: "order"
    std::string_view summary;        ///< one line for the menus: "Only the order of the words decides what is meant."
    std::string_view reads, learns;  ///< what its model reads, and learns to do: "a sentence with hidden words"
    /// Says all about the task. `file` holds the language; it is empty for a world without one.
    TaskDefinition (*make)(const WorldFile& file);
    std::string_view file = {};  ///< in the worlds folder: "order.words"; empty: the world needs no file
    /// The word list that only files of this world have; empty: the file's ending tells enough.
    std::string_view own_list = {};
};

/// A world is added by its name in these two lists.
extern const WorldKind copying_world, coreference_world, homonyms_world, induction_world, next_word_world, order_world,
    regression_world, sorting_world, translation_world;
inline constexpr const WorldKind* world_kinds[] = {&induction_world,  &copying_world,     &sorting_world,
                                                   &regression_world, &homonyms_world,    &coreference_world,
                                                   &order_world,      &translation_world, &next_word_world};

/// Any text, whose words for people are those of the others; text_task() says all about its task.
extern const WorldKind text_world;

}  // namespace glassformer
