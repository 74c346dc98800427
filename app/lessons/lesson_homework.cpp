#include <algorithm>

#include "app/language/sentences.h"
#include "app/language/tr.h"
#include "app/lessons/lesson_runner.h"
#include "core/base/error.h"

// Restores the work in a lesson with tasks when it is opened again.
namespace glassformer::app {

/// Restores the user's earlier work before the first step is entered, unless a student's homework is on screen.
void LessonRunner::take_work_back(const Frame& frame, const Lesson& lesson) {
    const bool handed_in = resumed_ && resumed_->lesson == lesson.name && !homework_.student_of(lesson.name).empty();
    if (!has_tasks(lesson) || handed_in) return;
    try {
        const std::optional<LessonWork> work = kept_.read(lesson);
        if (!work && homework_.student_of(lesson.name).empty()) return;  // keep this session's answers, if any
        homework_.take(lesson.name, work ? work->tasks : std::map<int, TaskAnswer>{});
        if (!work) return;
        resumed_ = Progress{lesson.name, work->at, work->guesses};
        memory_.at.try_emplace(lesson.name, work->at);
        const auto done = std::ranges::count_if(work->tasks, [](const auto& task) { return task.second.done; });
        const auto all = std::ranges::count_if(lesson.steps, [](const LessonStep& s) { return s.task.has_value(); });
        frame.state.window.notice = {filled(tr("Your earlier answers are back: {1} of {2} task done. To set them "
                                               "aside: “Start the homework over” (Ctrl+K).",
                                               "Your earlier answers are back: {1} of {2} tasks done. To set them "
                                               "aside: “Start the homework over” (Ctrl+K).",
                                               all),
                                            {std::to_string(done), std::to_string(all)}),
                                     true};
    } catch (const Error& e) {
        frame.state.window.notice = {filled(tr("Your earlier answers cannot be read: {1}"), {tr(e)})};
    }
}

void LessonRunner::keep_work(const Frame& frame) {
    if (!lesson_ || !has_tasks(*lesson_) || !homework_.student_of(lesson_->name).empty()) return;
    LessonWork work{homework_.of_lesson(lesson_->name), guesses_, at_};
    std::erase_if(work.tasks, [](const auto& task) { return task.second == TaskAnswer{}; });
    if (work.tasks.empty() && std::ranges::all_of(guesses_, [](int guess) { return guess == no_guess; })) return;
    try {
        kept_.write(*lesson_, work);
    } catch (const Error& e) {
        frame.state.window.notice = {filled(tr("Your answers will be lost when the window closes: {1}"), {tr(e)})};
    }
}

void LessonRunner::start_over(const Frame& frame) {
    try {
        const std::filesystem::path aside = kept_.put_aside(*lesson_);
        homework_.take(lesson_->name, {});
        guesses_.assign(lesson_->steps.size(), no_guess);
        asked_.assign(lesson_->steps.size(), {});
        at_ = 0;
        if (!aside.empty())
            frame.state.window.notice = {
                filled(tr("Homework restarted. Your answers are still in {1}."), {aside.string()}), true};
        enter(frame);
    } catch (const Error& e) {
        frame.state.window.notice = {tr(e)};
    }
}

}  // namespace glassformer::app
