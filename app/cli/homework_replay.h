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

/// A student's copy of a lesson, beside the lecturer's, who may have corrected theirs since, or assigned another. The
/// student's file may be forged: it only decides which answers are not marked.
class LessonCopy {
public:
    /// `ours` is the lecturer's, in `file`; `with` and `handed_in` came from the student. Throws Error if the answers
    /// are to another lesson, or the student's lesson cannot be read.
    LessonCopy(const Lesson& ours, const std::filesystem::path& file, const LessonBundle& with,
               const HandedIn& handed_in);

    /// The student's name, for messages.
    const std::string& whose() const { return student_; }
    /// True if it is word for word the lecturer's, or in another language, or if the file has none.
    bool is_ours() const { return !theirs_; }
    /// The student's step that asks what our `step` does (both from 0); −1: none.
    int step_like(int step) const;

private:
    const Lesson& ours_;
    std::string student_;
    std::optional<Lesson> theirs_;
};

/// The mark of one task or question of a lesson.
struct HomeworkMark {
    int step = 0;             ///< from 1
    std::string title, kind;  ///< "task" or "question"
    bool claimed = false;     ///< the file says that it is done; for a question, answered
    bool right = false;       ///< found by replaying it
    std::string shown = {};   ///< for a task both sides of its comparisons, for a question the choice
    int attempts = 0, hints = 0;
    std::string note = {};        ///< why it is not right, if there is more to say
    std::string not_marked = {};  ///< why it cannot be marked: then it is neither right nor wrong
};

/// Replays a student's homework with this machine's lesson and models: it takes from the file only what was done, and
/// does that again. It does not trust the file's model, lesson, or marks.
class HomeworkReplay {
public:
    /// `lesson` is a file. Trainings of more than `most_steps` are not repeated. `model`: the lesson's first one, if it
    /// is not shipped with the program. Throws Error if the lesson does not begin here.
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
