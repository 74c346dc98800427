#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "app/cli/lesson_check.h"
#include "app/lessons/homework.h"
#include "app/lessons/lesson.h"
#include "app/window/offscreen.h"
#include "core/io/glass_file.h"

namespace glassformer::app {

/// A lesson as a student had it, beside the lecturer's, who may have mended that since, or given out another one. What
/// is in the student's file may be forged: it decides only which answers are not marked.
class LessonCopy {
public:
    /// `ours` is the lecturer's, in `file`; `with` and `handed_in` came from the student. Throws Error where the
    /// answers are to another lesson, or their lesson cannot be read.
    LessonCopy(const Lesson& ours, const std::filesystem::path& file, const LessonBundle& with,
               const HandedIn& handed_in);

    /// For messages.
    const std::string& whose() const { return student_; }
    /// Word for word the lecturer's, or in another language.
    bool is_ours() const { return !theirs_; }
    /// Where it asks what a step of ours does (both from 0); −1: nowhere.
    int step_like(int step) const;

private:
    const Lesson& ours_;
    std::string student_;
    std::optional<Lesson> theirs_;
};

/// What came of one task or question of a lesson.
struct HomeworkMark {
    int step = 0;             ///< from 1
    std::string title, kind;  ///< "task" or "question"
    bool claimed = false;     ///< the file says that it is done; of a question, that it was answered
    bool right = false;       ///< found by playing it again
    std::string shown = {};   ///< of a task both sides of its comparisons, of a question the choice
    int attempts = 0, hints = 0;
    std::string note = {};        ///< why it is not right, where there is more to say
    std::string not_marked = {};  ///< why it cannot be marked: then it is neither right nor wrong
};

/// Plays what a student handed in on the lesson and the models of this machine: of the file it believes nothing but
/// what was done, and does that again. Not the file's model, lesson, or marks.
class HomeworkReplay {
public:
    /// A lesson's file. `most_steps`: a training that is longer is not done again. `model`: that the lesson begins
    /// with, where that does not come with the program. Throws Error where the lesson does not begin here.
    HomeworkReplay(const std::filesystem::path& lesson, std::int64_t most_steps, std::string model = {});

    const Lesson& lesson() const { return lesson_; }
    const std::filesystem::path& file() const { return file_; }
    /// A mark for each task and question of the lesson. `copy`: the lesson as the student had it.
    std::vector<HomeworkMark> grade(const HandedIn& handed_in, const LessonCopy& copy);

private:
    struct Stage;

    std::filesystem::path file_;
    Lesson lesson_;
    std::string model_;
    std::int64_t most_steps_;
};

}  // namespace glassformer::app
