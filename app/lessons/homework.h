#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "app/common/frame.h"
#include "app/lessons/lesson_values.h"

namespace glassformer::app {

class LessonRunner;

/// A student's answer to one task.
struct TaskAnswer {
    int attempts = 0, hints = 0;
    bool done = false;     ///< the condition held in some attempt
    std::string shown;     ///< for the newest attempt: "0.31 > 0.5", or why it does not count
    std::string evidence;  ///< JSON: how the screen came to satisfy it; empty until it did
    /// What was changed midway in the training behind the answer, so that it cannot be repeated for marking: "batch 8".
    std::string changed;
    bool operator==(const TaskAnswer&) const = default;
};

/// The answers to the tasks of the lessons played, by lesson and step. They go into the file that is handed in, and are
/// read from it. They are only the student's word: `glassformer grade` replays them. KeptHomework saves them.
class Homework {
public:
    TaskAnswer& of(const std::string& lesson, int step) { return answers_[lesson][step]; }
    /// Returns an empty answer if the task was not tried.
    TaskAnswer at(const std::string& lesson, int step) const;
    std::map<int, TaskAnswer> of_lesson(const std::string& lesson) const;
    /// `student`: who handed the answers in; empty: the user at the window.
    void take(const std::string& lesson, std::map<int, TaskAnswer> answers, std::string student = {}) {
        answers_[lesson] = std::move(answers);
        students_[lesson] = std::move(student);
    }
    const std::string& student_of(const std::string& lesson) const;

private:
    std::map<std::string, std::map<int, TaskAnswer>> answers_;
    std::map<std::string, std::string> students_;
};

/// What a student hands in: answers.json in a .glass file.
struct HandedIn {
    std::string student, lesson;
    std::map<int, TaskAnswer> tasks;  ///< by step, from 0
    std::vector<int> guesses;         ///< by step; as in LessonRunner::Progress
};
std::string answers_to_json(const HandedIn& handed_in);
/// Throws Error naming `file` and the problem; the input is untrusted.
HandedIn answers_from_json(const std::string& text, const std::string& file);

/// Returns whether any step of the lesson has a task.
bool has_tasks(const Lesson& lesson);
/// Returns why the screen does not count, whatever it shows: its sentences are not the step's. Empty if it counts.
std::string why_not_counted(const LessonTask& task, const Scene& scene, const Snapshot& snapshot);
/// Returns "loss = 0.31 (asked: < 0.1)": for each comparison, what it reads, its current value, and the target.
std::string shown_sides(const Condition& condition, const LivePlace& place);
/// Returns the comparisons that do not hold; none if the condition holds.
Condition open_part(const Condition& condition, const LivePlace& place);
/// Makes an attempt at the step's task with what is on screen now.
void try_task(const Frame& frame, LessonRunner& lessons);
/// Returns the message for a task that is done but cannot be marked.
std::string why_not_marked(const std::string& title, const TaskAnswer& answer);
/// Returns the first `count` hints, one paragraph each.
ShownText shown_hints(const LessonTask& task, int count, const LivePlace& place);

/// Draws the step's task: Check, the result of the last attempt, and hints. Items "lesson/check", "lesson/attempt"
/// (value: number of attempts), "lesson/hint", "lesson/done". Returns the height.
float draw_task(const Frame& frame, LessonRunner& lessons, ImVec2 at, float width);
float task_height(const Ui& ui);

/// A user's work in a lesson with tasks, and the current step.
struct LessonWork {
    std::map<int, TaskAnswer> tasks;  ///< by step, from 0
    std::vector<int> guesses;         ///< by step; as in LessonRunner::Progress
    int at = 0;
    bool operator==(const LessonWork&) const = default;
};

/// Saves the work in lessons with tasks to disk at once, so that no exit or kill of the program loses it. A lesson
/// keeps its work when its text is corrected or shown in another language: it is found by its titles, otherwise by what
/// no translation changes, which are its name and each step's model, sentences, question and task.
class KeptHomework {
public:
    /// Sets the folder, which is created when there is something to save; empty: nothing is saved.
    void keep_in(std::filesystem::path folder) { folder_ = std::move(folder); }

    /// Returns none if nothing is saved. A file that cannot be parsed is renamed to *.damaged. Throws Error naming the
    /// file.
    std::optional<LessonWork> read(const Lesson& lesson);
    /// Writes the work if it has changed since it was last read or written. What the file has beyond it stays: it was
    /// done in another window. A file that cannot be read is
    /// not overwritten. Throws Error naming the file.
    void write(const Lesson& lesson, const LessonWork& work);
    /// Renames the file, so that the user can still get it back. Returns the new name; empty: there was none.
    std::filesystem::path put_aside(const Lesson& lesson);

private:
    std::filesystem::path file_of(const std::string& name) const;
    static LessonWork work_in(const std::filesystem::path& file);

    std::filesystem::path folder_;
    std::string last_name_;  // of the lesson last read or written; see kept_name_of() in homework.cpp
    LessonWork last_;        // content of its file
};

}  // namespace glassformer::app
