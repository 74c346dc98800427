#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "app/common/frame.h"
#include "app/lessons/lesson_values.h"

namespace glassformer::app {

class LessonRunner;

/// What a student has done in one task.
struct TaskAnswer {
    int attempts = 0, hints = 0;
    bool done = false;     ///< at some attempt it held
    std::string shown;     ///< of the newest attempt: "0.31 > 0.5", or why it does not count
    std::string evidence;  ///< JSON: how the screen came to hold it; empty until it did
    /// What was changed in the training behind it under way, so that it cannot be trained again to be marked: "batch
    /// 8".
    std::string changed;
    bool operator==(const TaskAnswer&) const = default;
};

/// The tasks of the lessons that were played, by lesson and step. It goes into the file that is handed in, and comes
/// back from there; what it says is the student's word, and `glassformer grade` plays it again. KeptHomework keeps it.
class Homework {
public:
    TaskAnswer& of(const std::string& lesson, int step) { return answers_[lesson][step]; }
    /// As nothing where it was not tried.
    TaskAnswer at(const std::string& lesson, int step) const;
    std::map<int, TaskAnswer> of_lesson(const std::string& lesson) const;
    /// `student`: who handed it in; empty: it is of the person at the window.
    void take(const std::string& lesson, std::map<int, TaskAnswer> answers, std::string student = {}) {
        answers_[lesson] = std::move(answers);
        students_[lesson] = std::move(student);
    }
    const std::string& student_of(const std::string& lesson) const;

private:
    std::map<std::string, std::map<int, TaskAnswer>> answers_;
    std::map<std::string, std::string> students_;
};

/// What a student hands in: answers.json of a .glass file.
struct HandedIn {
    std::string student, lesson;
    std::map<int, TaskAnswer> tasks;  ///< by step, from 0
    std::vector<int> guesses;         ///< by step; as in LessonRunner::Progress
};
std::string answers_to_json(const HandedIn& handed_in);
/// Throws Error naming `file` and what is wrong in it: anybody may have written it.
HandedIn answers_from_json(const std::string& text, const std::string& file);

/// Whether any step of the lesson is a task.
bool has_tasks(const Lesson& lesson);
/// Why what is on screen does not count, whatever it shows: other sentences than the step's. Empty where it does.
std::string why_not_counted(const LessonTask& task, const Scene& scene, const Snapshot& snapshot);
/// "loss = 0.31 (asked: < 0.1)": what each comparison reads, what it is now, and what is asked for.
std::string shown_sides(const Condition& condition, const LivePlace& place);
/// The comparisons that do not hold; empty where the condition does.
Condition open_part(const Condition& condition, const LivePlace& place);
/// An attempt at the step's task, with what is on screen now.
void try_task(const Frame& frame, LessonRunner& lessons);
/// What is to be told of a task that is done and cannot be marked.
std::string why_not_marked(const std::string& title, const TaskAnswer& answer);
/// The first so many hints, a paragraph each.
ShownText shown_hints(const LessonTask& task, int count, const LivePlace& place);

/// Draws the step's task: Check, how the last attempt went, and hints. Items "lesson/check", "lesson/attempt" (its
/// value the number of attempts), "lesson/hint", "lesson/done". Returns the height.
float draw_task(const Frame& frame, LessonRunner& lessons, ImVec2 at, float width);
float task_height(const Ui& ui);

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
