#include "app/lessons/lesson_search.h"

#include <algorithm>
#include <cctype>

#include "app/views/registry.h"
#include "core/text/words.h"

namespace glassformer::app {

namespace {

bool is_letter(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }

/// Whether a word of the text begins with `wanted`; if that is only one or two characters, it must be the whole word.
bool has_word(const std::string& text, const std::string& wanted) {
    const std::string all = lower_case(text);
    for (std::size_t at = all.find(wanted); at != std::string::npos; at = all.find(wanted, at + 1)) {
        const std::size_t end = at + wanted.size();
        const bool begins = at == 0 || !is_letter(all[at - 1]), ends = end == all.size() || !is_letter(all[end]);
        if (begins && (ends || wanted.size() > 2)) return true;
    }
    return false;
}

bool says(const LessonText& text, const std::string& wanted) {
    return std::ranges::any_of(text, [&](const Paragraph& paragraph) {
        return std::ranges::any_of(paragraph.text.pieces, [&](const LiveText::Piece& piece) {
            return !piece.live && has_word(piece.text, wanted);
        });
    });
}

}  // namespace

int step_about(const Lesson& lesson, const std::string& something) {
    const std::string wanted = lower_case(something);
    const auto holds = [&](const std::string& text) { return has_word(text, wanted); };
    if (holds(lesson.title) || holds(lesson.about)) return 0;
    for (std::size_t i = 0; i < lesson.steps.size(); ++i)
        if (holds(lesson.steps[i].title)) return static_cast<int>(i);
    for (std::size_t i = 0; i < lesson.steps.size(); ++i)
        if (says(lesson.steps[i].text, wanted) ||
            (lesson.steps[i].question && says(lesson.steps[i].question->after, wanted)))
            return static_cast<int>(i);
    return -1;
}

int step_with_view(const Lesson& lesson, std::string_view view) {
    const auto shows = [&](const Scene& scene) {
        return view == (scene.view.empty() ? all_views()[attention_view()].name : std::string_view(scene.view));
    };
    const auto step = std::ranges::find_if(lesson.steps, [&](const LessonStep& each) {
        return shows(each.scene) || (each.question && shows(each.question->scene));
    });
    return step == lesson.steps.end() ? -1 : static_cast<int>(step - lesson.steps.begin());
}

int first_with_view(const std::vector<std::shared_ptr<const Lesson>>& lessons, std::string_view view) {
    const auto lesson =
        std::ranges::find_if(lessons, [&](const auto& each) { return step_with_view(*each, view) >= 0; });
    return lesson == lessons.end() ? -1 : static_cast<int>(lesson - lessons.begin());
}

}  // namespace glassformer::app
