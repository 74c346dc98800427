#pragma once

#include <string>
#include <vector>

#include "app/lessons/lesson_runner.h"

namespace glassformer::app {

/// What was in sight on the screens of a lesson, so that an answer is found which stood there before it was asked for.
/// An answer is what the choices compare, as a number or printed in the lesson's text, what the answer points at, and
/// the words in which the right choice differs from the others. Covered items, and those that are scrolled away or lie
/// under the lesson's text, are not in sight.
class LessonSight {
public:
    explicit LessonSight(const Items& items) : items_(items) {}

    void begin() { screens_.clear(); }
    /// The screen of the step as it is now.
    void add(const LessonRunner& lessons);
    /// Once a question is answered and its answer on the screen: where that was in sight before, a sentence each.
    std::vector<std::string> told_early(const LessonRunner& lessons, const Snapshot& shown) const;
    /// What the step lights and what is on the page, but scrolled away or below something.
    std::vector<std::string> lights_out_of_sight(const LessonRunner& lessons) const;
    /// Whether anything that the step lights is on the screen.
    bool points_at_something(const LessonRunner& lessons) const;

private:
    bool is_on_screen(const Item& item) const;  ///< there may be a cover on it
    bool in_sight(const Item& item) const;
    bool is_told(const Items::DrawnText& text) const;  ///< by the lesson, and no number of a model

    struct Seen {
        std::string label, text;
        std::optional<double> value;
    };
    /// What is pointed at: an item, or several in one frame.
    struct Light {
        std::string labels;
        std::vector<std::string> numbers;  ///< labels of the numbers in it: its own, and those of a picture
    };
    struct Screen {
        int step = 0;
        std::string title;
        std::vector<Seen> items;
        std::vector<std::string> texts;  ///< of the lesson, as its author wrote them; no choices
        std::vector<Light> lights;       ///< what it points at
    };
    const Seen* find(const Screen& screen, std::string_view label) const;
    std::string numbers_in(const Screen& screen, const LessonSecrets& answer) const;
    std::string texts_in(const Screen& screen, const LessonSecrets& answer) const;
    bool shows_same(const Screen& screen, const Screen& answer, const Light& light) const;
    std::string lights_in(const Screen& screen, const Screen& answer) const;
    Screen screen_of(const LessonRunner& lessons) const;

    const Items& items_;
    std::vector<Screen> screens_;
};

}  // namespace glassformer::app
