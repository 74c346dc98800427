#include <algorithm>

#include "app/language/tr.h"
#include "app/lessons/homework.h"
#include "app/lessons/lesson_runner.h"
#include "app/ui/running_text.h"

// The right part of a step with a task.
namespace glassformer::app {

namespace {

constexpr float task_button_height = 30, task_gap = 6;  // pixels at 100 %

/// Draws the result of the last attempt, as high as both rows of buttons: the verdict and the number of attempts; if it
/// is not done, small lines below say what is missing.
void draw_attempt(const Ui& ui, const std::string& title, const TaskAnswer& answer, const Box& box) {
    const Theme& t = *ui.theme;
    ui.items->add("lesson/attempt", box, item_state(answer.attempts), answer.shown);
    if (answer.attempts == 0) return;
    const std::string_view attempts =
        ui.items->format(tr("%d attempt", "%d attempts", answer.attempts), answer.attempts);
    const draw::TextStyle small{FontRole::small, t.text_muted};
    if (answer.done) {
        const bool marked = answer.changed.empty();
        const std::string_view verdict = marked ? tr("Done") : tr("Done, but not marked");
        ui.items->add("lesson/done", box, item_state(1), verdict);
        draw::text_in(ui, box.row(0, 2), verdict, {FontRole::body_bold, marked ? t.good_text : t.text});
        draw::text_in(ui, box.row(1, 2), attempts, small);
        if (!marked && draw::hovered(box)) draw::tooltip(ui, box, why_not_marked(title, answer));
        return;
    }
    Box rest = box;
    const Box verdict = rest.cut_top(ui.line(FontRole::body_bold));
    const std::string_view not_yet = tr("Not yet");
    draw::text_in(ui, verdict, not_yet, {FontRole::body_bold});
    draw::text_in(ui, verdict.right_of(verdict.min.x + draw::text_size(ui, not_yet, FontRole::body_bold).x + ui.px(10)),
                  attempts, small);
    const std::vector<std::string_view> lines = draw::wrapped_lines(ui, answer.shown, rest.width(), FontRole::small);
    const std::size_t room = std::max<std::size_t>(1, static_cast<int>(rest.height() / ui.line(FontRole::small)));
    for (std::size_t i = 0; i < std::min(room, lines.size()); ++i) {
        const bool last = i + 1 == room && i + 1 < lines.size();  // with the rest of the text, cut with an ellipsis
        const std::string_view line =
            last ? std::string_view(lines[i].data(), answer.shown.data() + answer.shown.size()) : lines[i];
        draw::text_in(ui, rest.cut_top(ui.line(FontRole::small)), line, small);
    }
    if (lines.size() > room && draw::hovered(box)) draw::tooltip(ui, box, answer.shown);
}

}  // namespace

float task_height(const Ui& ui) { return 2 * ui.px(task_button_height) + ui.px(task_gap); }

float draw_task(const Frame& frame, LessonRunner& lessons, ImVec2 at, float width) {
    const Ui& ui = frame.ui;
    const LessonTask& task = *lessons.step().task;
    TaskAnswer& answer = lessons.homework().of(lessons.lesson()->name, lessons.at());
    const float height = ui.px(task_button_height), right = at.x + width;
    ButtonStyle check, hint;
    check.tone = Tone::attention;
    check.enabled = lessons.on_screen();
    check.font = FontRole::body_bold;
    check.icon = draw::Icon::check;
    check.tooltip = tr("Check whether the screen meets the task");
    const std::string next = std::to_string(std::min(answer.hints + 1, static_cast<int>(task.hints.size()))),
                      all = std::to_string(task.hints.size());
    const std::string hint_text = filled(tr("Hint {1} of {2}"), {next, all});
    hint.tone = Tone::quiet;
    // Both lines of the result start after the wider button.
    const float beside =
        at.x + ui.px(task_gap + 4) +
        std::max(chip_width(ui, tr("Check"), check), task.hints.empty() ? 0 : chip_width(ui, hint_text, hint));
    ImVec2 place = at;
    if (chip(ui, "lesson/check", place, height, tr("Check"), check, task_gap)) try_task(frame, lessons);
    draw_attempt(ui, lessons.step().title, answer, {{beside, at.y}, {right, at.y + task_height(ui)}});
    if (task.hints.empty()) return task_height(ui);
    hint.enabled = answer.hints < static_cast<int>(task.hints.size());
    place = {at.x, at.y + height + ui.px(task_gap)};
    if (chip(ui, "lesson/hint", place, height, hint_text, hint, task_gap)) ++answer.hints;
    return task_height(ui);
}

}  // namespace glassformer::app
