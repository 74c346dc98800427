#include "app/lessons/lesson_search.h"

#include <algorithm>

#include "core/text/words.h"

namespace glassformer::app {

namespace {

bool says(const LessonText& text, const std::string& wanted) {
    return std::ranges::any_of(text, [&](const Paragraph& paragraph) {
        return std::ranges::any_of(paragraph.text.pieces, [&](const LiveText::Piece& piece) {
            return !piece.live && lower_case(piece.text).find(wanted) != std::string::npos;
        });
    });
}

}  // namespace

int step_about(const Lesson& lesson, const std::string& something) {
    const std::string wanted = lower_case(something);
    const auto holds = [&](const std::string& text) { return lower_case(text).find(wanted) != std::string::npos; };
    if (holds(lesson.title) || holds(lesson.about)) return 0;
    for (std::size_t i = 0; i < lesson.steps.size(); ++i)
        if (holds(lesson.steps[i].title)) return static_cast<int>(i);
    for (std::size_t i = 0; i < lesson.steps.size(); ++i)
        if (says(lesson.steps[i].text, wanted) ||
            (lesson.steps[i].question && says(lesson.steps[i].question->after, wanted)))
            return static_cast<int>(i);
    return -1;
}

}  // namespace glassformer::app
