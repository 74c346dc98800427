#include "app/language/tr.h"
#include "app/lessons/homework.h"
#include "app/lessons/lesson_runner.h"

// The right part of a step that is a task.
namespace glassformer::app {

namespace {

constexpr float button_height = 30, gap = 6;  // pixels at 100 %

void draw_attempt(const Ui& ui, const TaskAnswer& answer, ImVec2 min, ImVec2 max) {
    const Theme& t = *ui.theme;
    ui.items->add("lesson/attempt", min, max, answer.attempts, answer.shown);
    if (answer.attempts == 0) return;
    const std::string tries = filled(tr("attempt {1}"), {std::to_string(answer.attempts)});
    const std::string said =
        answer.done ? filled(tr("Done at {1}"), {tries}) : filled(tr("Not yet: {1} ({2})"), {answer.shown, tries});
    if (answer.done) ui.items->add("lesson/done", min, max, 1);
    if (draw::text_in(ui, min, max, said, {FontRole::body_bold, answer.done ? t.good_text : t.text}) &&
        draw::hovered(min, max))
        draw::tooltip(ui, min, max, said);
}

}  // namespace

float task_height(const Ui& ui) { return 2 * ui.px(button_height) + ui.px(gap); }

float draw_task(const Frame& frame, LessonRunner& lessons, ImVec2 at, float width) {
    const Ui& ui = frame.ui;
    const LessonTask& task = *lessons.step().task;
    TaskAnswer& answer = lessons.homework().of(lessons.lesson()->name, lessons.at());
    const float height = ui.px(button_height), right = at.x + width;
    ButtonStyle check, hint;
    check.tone = Tone::attention;
    check.enabled = lessons.on_screen();
    check.font = FontRole::body_bold;
    check.icon = static_cast<int>(draw::Icon::check);
    check.tooltip = tr("Check whether what is on the screen does what the task asks");
    ImVec2 place = at;
    if (chip(ui, "lesson/check", place, height, tr("Check"), check, gap)) try_task(frame, lessons);
    draw_attempt(ui, answer, {place.x + ui.px(4), at.y}, {right, at.y + height});
    const int hints = static_cast<int>(task.hints.size());
    if (hints == 0) return task_height(ui);
    hint.tone = Tone::quiet;
    hint.enabled = answer.hints < hints;
    place = {at.x, at.y + height + ui.px(gap)};
    const std::string next = std::to_string(std::min(answer.hints + 1, hints)), all = std::to_string(hints);
    if (chip(ui, "lesson/hint", place, height, filled(tr("Hint {1} of {2}"), {next, all}), hint, gap)) ++answer.hints;
    return task_height(ui);
}

}  // namespace glassformer::app
