#include <algorithm>

#include "app/language/tr.h"
#include "app/lessons/homework.h"
#include "app/lessons/lesson_runner.h"

// The right part of a step that is a task.
namespace glassformer::app {

namespace {

constexpr float task_button_height = 30, task_gap = 6;  // pixels at 100 %

void draw_attempt(const Ui& ui, const std::string& title, const TaskAnswer& answer, const Box& box) {
    const Theme& t = *ui.theme;
    ui.items->add("lesson/attempt", box, item_state(answer.attempts), answer.shown);
    if (answer.attempts == 0) return;
    const bool marked = answer.done && answer.changed.empty();
    const std::string said = marked        ? std::string(tr("Done"))
                             : answer.done ? std::string(tr("Done, but not for marks"))
                                           : filled(tr("Not yet: {1}"), {answer.shown});
    if (answer.done) ui.items->add("lesson/done", box, item_state(1), said);
    const ImU32 ink = marked ? t.good_text : t.text;
    const bool cut = draw::text_in(ui, box, said, {FontRole::body_bold, ink});
    if (draw::hovered(box) && (cut || answer.done != marked))
        draw::tooltip(ui, box, answer.done ? why_not_marked(title, answer) : said);
    // Under it, beside the hints.
    const float down = box.height() + ui.px(task_gap);
    draw::text_in(ui, box.between_y(box.min.y + down, box.max.y + down),
                  ui.items->format(tr("%d attempt", "%d attempts", answer.attempts), answer.attempts),
                  {FontRole::small, t.text_muted});
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
    check.tooltip = tr("Check whether what is on the screen does what the task asks");
    const std::string next = std::to_string(std::min(answer.hints + 1, static_cast<int>(task.hints.size()))),
                      all = std::to_string(task.hints.size());
    const std::string hint_text = filled(tr("Hint {1} of {2}"), {next, all});
    hint.tone = Tone::quiet;
    // Both lines of what came of it begin behind the wider button.
    const float beside =
        at.x + ui.px(task_gap + 4) +
        std::max(chip_width(ui, tr("Check"), check), task.hints.empty() ? 0 : chip_width(ui, hint_text, hint));
    ImVec2 place = at;
    if (chip(ui, "lesson/check", place, height, tr("Check"), check, task_gap)) try_task(frame, lessons);
    draw_attempt(ui, lessons.step().title, answer, {{beside, at.y}, {right, at.y + height}});
    if (task.hints.empty()) return task_height(ui);
    hint.enabled = answer.hints < static_cast<int>(task.hints.size());
    place = {at.x, at.y + height + ui.px(task_gap)};
    if (chip(ui, "lesson/hint", place, height, hint_text, hint, task_gap)) ++answer.hints;
    return task_height(ui);
}

}  // namespace glassformer::app
