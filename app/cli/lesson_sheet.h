#pragma once

#include <string>
#include <vector>

#include "app/lessons/lesson_runner.h"

namespace glassformer::app {

/// What a teacher needs of a lesson on one page: its question, its time, what each step says with the numbers that will
/// be seen, the questions with their answers, what to try, what goes wrong, and exercises. Taken from the lesson as it
/// is played, so that it never says anything else than the screen.
class LessonSheet {
public:
    /// The step that is on screen, before its guess or after it.
    void add(const LessonRunner& lessons, const Snapshot& shown);
    /// A page of HTML, complete in itself.
    std::string html() const;

private:
    struct Step {
        int at = 0;
        std::string title, text, after, model;
        std::vector<std::string> choices;
        std::vector<bool> right;
        std::string notes;
    };
    std::string title_, about_;
    std::vector<std::string> goes_wrong_, exercises_;
    int minutes_ = 0;
    std::vector<Step> steps_;
};

}  // namespace glassformer::app
