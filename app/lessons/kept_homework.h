#pragma once

#include <filesystem>
#include <optional>

#include "app/lessons/homework.h"

namespace glassformer::app {

/// What somebody has done in a lesson with tasks, and where they are in it.
struct LessonWork {
    std::map<int, TaskAnswer> tasks;  ///< by step, from 0
    std::vector<int> guesses;         ///< by step; as in LessonRunner::Progress
    int at = 0;
    bool operator==(const LessonWork&) const = default;
};

/// The work in lessons with tasks, on disk as it is done: neither the end of the program nor a kill loses it. A lesson
/// is known by its titles, so that one whose words were mended keeps its work.
class KeptHomework {
public:
    /// In this folder, which is made when there is something to keep; empty: nothing is kept.
    void keep_in(std::filesystem::path folder) { folder_ = std::move(folder); }

    /// Nothing where there is none. What cannot be read stays beside it as *.damaged. Throws Error naming the file.
    std::optional<LessonWork> read(const Lesson& lesson);
    /// Writes it where it is not what was read or written last. Throws Error naming the file.
    void write(const Lesson& lesson, const LessonWork& work);
    /// The file goes aside, where a person who is sorry still has it. Returns its new name; empty: there was none.
    std::filesystem::path put_aside(const Lesson& lesson);

private:
    std::filesystem::path file_of(const Lesson& lesson) const;

    std::filesystem::path folder_, last_file_;
    LessonWork last_;  // as last_file_ has it
};

}  // namespace glassformer::app
