#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace glassformer::app {

/// The lessons, as far as the top bar and the keys need to know; lessons/lesson_runner.h acts on what is asked.
struct LessonMenu {
    std::vector<std::string> titles;
    std::vector<std::string> also;  // by lesson: what it asks, its steps' titles and its sentences, for the search
    int open = -1;                  // the lesson that is being played
    bool waits = false;             // or one waits for its model
    /// A clicker pages forward and backward: a question and its answer are two pages, and behind the last one nothing
    /// ends.
    enum class Ask { nothing, start, next, back, forward, backward, again, over, leave } ask = Ask::nothing;
    bool course = false;                      // the page of all lessons is on screen
    bool open_model = false;                  // that the lesson waits for
    int which = -1, step = -1;                // to start, and where; −1: where it was left
    std::optional<std::uint64_t> fresh_seed;  // that fresh models begin with, where their lesson names none
    std::string named, about;  // or: the file of a lesson to start, at the first step that speaks of this
    bool of_view = false;      // or: the first lesson that shows the view on screen, at the step that does
};

}  // namespace glassformer::app
