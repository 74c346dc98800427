#include <algorithm>
#include <cmath>

#include "app/language/tr.h"
#include "app/lessons/lesson_search.h"
#include "app/lessons/lesson_view.h"
#include "app/ui/modal_card.h"
#include "app/ui/scroll_area.h"
#include "app/views/registry.h"
#include "core/text/words.h"

namespace glassformer::app {

namespace {

constexpr float widest = 900, pad = 22, row_height = 43, title_space = 66, badge = 28, right_column = 150,
                search_width = 230, search_height = 28, view_chip = 22;

/// The text typed to search for a lesson.
struct CourseSearch {
    std::string text;
};

void start(const Frame& frame, int which, int step) {
    LessonMenu& menu = frame.state.window.lessons;
    menu.course = false;
    menu.ask = LessonMenu::Ask::start;
    menu.which = which;
    menu.step = step;
}

/// How far the user has got in a lesson.
struct Progress {
    int done = 0, steps = 0;  // `done` equals `steps` once it was finished
    bool here = false;        // open now
};

Progress progress_of(const LessonRunner& lessons, const Lesson& lesson) {
    const int steps = static_cast<int>(lesson.steps.size());
    const auto left = lessons.memory().at.find(lesson.name);
    const bool here = lessons.open() && lessons.lesson()->name == lesson.name;
    return {left == lessons.memory().at.end() ? 0 : std::min(left->second, steps), steps, here};
}

void draw_badge(const Ui& ui, const Box& row, int number, const Progress& p) {
    const Theme& t = *ui.theme;
    const float radius = ui.px(badge) / 2;
    const ImVec2 at{row.min.x + ui.px(10) + radius, row.middle_y()};
    const bool finished = p.done == p.steps;
    const ImU32 fill = p.here || finished ? t.accent : t.control;
    ui.list()->AddCircleFilled(at, radius, fill, 32);
    if (!p.here && !finished) ui.list()->AddCircle(at, radius, t.control_border, 32, ui.px(1));
    draw::text_in(ui, {{at.x - radius, at.y - radius}, {at.x + radius, at.y + radius}}, ui.items->format("%d", number),
                  {FontRole::small_bold, p.here || finished ? Theme::text_on(fill) : t.text, draw::Align::centre});
}

/// Draws "12 min" and the progress.
void draw_progress(const Ui& ui, const Box& box, const Lesson& lesson, const Progress& p) {
    const Theme& t = *ui.theme;
    const float line = ui.line(FontRole::small), middle = box.middle_y();
    std::string_view said = p.done == p.steps ? tr("finished")
                            : p.done > 0      ? ui.items->format(tr("step %d of %d"), p.done + 1, p.steps)
                                              : ui.items->format(tr("%d step", "%d steps", p.steps), p.steps);
    if (p.here) said = tr("open now");
    draw::text_in(ui, box.between_y(middle - line, middle), said,
                  {FontRole::small_bold, p.done > 0 || p.here ? t.accent : t.text_muted, draw::Align::right});
    if (lesson.minutes > 0)
        draw::text_in(ui, box.between_y(middle, middle + line), ui.items->format(tr("%d min"), lesson.minutes),
                      {FontRole::small, t.text_muted, draw::Align::right});
    if (p.done <= 0 || p.done >= p.steps) return;
    const float share = static_cast<float>(p.done) / static_cast<float>(p.steps);
    draw::bar(ui, {{box.max.x - ui.px(70), box.max.y - ui.px(5)}, {box.max.x, box.max.y - ui.px(2)}}, share, t.accent,
              t.track);
}

/// Draws a chip at the right end of the row, saying that the lesson shows the current view; a click starts that step.
/// Leaves the row's rest, and returns whether the mouse is over the chip.
bool draw_view_chip(const Frame& frame, const Lesson& lesson, int which, int step, Box& row) {
    const Ui& ui = frame.ui;
    const std::string text = filled(tr("about {1}"), {tr(chosen_view(frame.state).name)});
    const float width = draw::text_size(ui, text, FontRole::small).x + ui.px(16);
    const float middle = row.middle_y(), half = ui.px(view_chip) / 2;
    const Box box = row.cut_right(width, ui.px(8)).between_y(middle - half, middle + half);
    const bool under = draw::hovered(box);
    draw::rounded_box(ui, box, ui.theme->attention_tint, under ? ui.theme->accent : 0, 999);
    draw::label(ui, box, text, {FontRole::small, ui.theme->attention_text, draw::Align::centre},
                {ui.items->format("course/view %d", which + 1), item_state(step)});
    if (under)
        draw::tooltip(ui, box,
                      filled(tr("Start at the step “{1}”, which shows the current view"), {lesson.steps[step].title}));
    return under;
}

void draw_row(const Frame& frame, const LessonRunner& lessons, int which, const Box& row) {
    const Ui& ui = frame.ui;
    const Theme& t = *ui.theme;
    const Lesson& lesson = *lessons.folder().lessons()[which];
    const Progress p = progress_of(lessons, lesson);
    const int number = std::atoi(lesson.name.c_str());
    const Response r = click_area(ui, ui.items->format("course/%d", which + 1), row,
                                  item_state(static_cast<double>(p.done)), lesson.title);
    if (r.hovered) {
        draw::rounded_box(ui, row, t.hover, 0, 6);
        ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    }
    draw_badge(ui, row, number > 0 ? number : which + 1, p);
    Box words = row.between_x(row.min.x + ui.px(20 + badge), row.max.x - ui.px(10 + right_column));
    draw_progress(ui, row.between_x(words.max.x, row.max.x - ui.px(10)), lesson, p);
    const int with_view = step_with_view(lesson, chosen_view(frame.state).name);
    const bool on_view = with_view >= 0 && draw_view_chip(frame, lesson, which, with_view, words);
    const float title = ui.line(FontRole::body_bold), line = ui.line(FontRole::small);
    const float top = std::round((row.min.y + row.max.y - title - line) / 2);
    draw::text_told(ui, words.between_y(top, top + title), lesson.title, {FontRole::body_bold});
    draw::text_told(ui, words.between_y(top + title, top + title + line), lesson.about,
                    {FontRole::small, t.text_muted});
    if (!r.clicked) return;
    if (on_view) return start(frame, which, with_view);
    const std::string wanted = lower_case(frame.own<CourseSearch>().text);
    start(frame, which, wanted.empty() ? -1 : step_about(lesson, wanted));
}

void draw_card(const Frame& frame, const LessonRunner& lessons, const Box& card) {
    const Ui& ui = frame.ui;
    draw::card(ui, card);
    ui.items->add("course", card, item_state(static_cast<double>(lessons.folder().lessons().size())));
    const float side = ui.px(pad), close = ui.px(28), title = ui.line(FontRole::title_bold);
    const ImVec2 at{card.min.x + side, card.min.y + ui.px(14)};
    int minutes = 0;
    for (const auto& lesson : lessons.folder().lessons()) minutes += lesson->minutes;
    const auto known = static_cast<std::int64_t>(lessons.folder().lessons().size());
    const std::string about = filled(minutes > 0 ? tr("{1}, about {2}. All their numbers are computed as you watch.")
                                                 : tr("{1}. All their numbers are computed as you watch."),
                                     {filled(tr("{1} lesson", "{1} lessons", known), {std::to_string(known)}),
                                      filled(tr("{1} minute", "{1} minutes", minutes), {std::to_string(minutes)})});
    const ImVec2 corner{card.max.x - ui.px(12) - close, card.min.y + ui.px(14)};
    if (close_button(ui, "course/close", Box::sized(corner, close, close), tr("Close (Esc)")))
        frame.state.window.lessons.course = false;
    CourseSearch& search = frame.own<CourseSearch>();
    const float field = std::min(ui.px(search_width), card.width() * 0.3f);
    const ImVec2 found{corner.x - ui.px(10) - field, corner.y};
    text_field(ui, "course/search", {found, {found.x + field, found.y + ui.px(search_height)}}, search.text,
               tr("Search the lessons"));
    Box heading{at, {found.x - ui.px(12), card.max.y}};
    draw::text_in(ui, heading.cut_top(title, ui.px(2)), tr("Course"), {FontRole::title_bold});
    const Box below = heading.top(ui.line(FontRole::small));
    if (draw::label(ui, below, about, {FontRole::small, ui.theme->text_muted}, {"course/about"}) &&
        draw::hovered(below))
        draw::tip(ui, below, about);
    const std::string wanted = lower_case(search.text);
    std::vector<int> shown;
    for (std::size_t i = 0; i < lessons.folder().lessons().size(); ++i)
        if (wanted.empty() || step_about(*lessons.folder().lessons()[i], wanted) >= 0)
            shown.push_back(static_cast<int>(i));
    const int count = static_cast<int>(shown.size());
    const float row = std::max(ui.px(row_height), ui.line(FontRole::body_bold) + ui.line(FontRole::small) + ui.px(6));
    const Box list{{card.min.x + ui.px(12), card.min.y + ui.px(title_space)},
                   {card.max.x - ui.px(12), card.max.y - ui.px(10)}};
    const ScrollArea area(ui, "##course", list, row * static_cast<float>(count));
    const Box inside = area.content();
    for (int i = 0; i < count; ++i) {
        const float y = inside.min.y + row * static_cast<float>(i);
        draw_row(frame, lessons, shown[i], inside.between_y(y, y + row - ui.px(2)));
    }
    if (count == 0)
        draw::text_in(ui, inside.top(row), tr("No lesson covers this."),
                      {FontRole::small, ui.theme->text_muted, draw::Align::centre});
}

}  // namespace

void draw_course(const Frame& frame, const LessonRunner& lessons, const Box& window) {
    LessonMenu& menu = frame.state.window.lessons;
    if (!menu.course) return;
    const Ui& ui = frame.ui;
    const float row = std::max(ui.px(row_height), ui.line(FontRole::body_bold) + ui.line(FontRole::small) + ui.px(6));
    const float width = std::min(ui.px(widest), window.width() - ui.px(32));
    const float wanted = ui.px(title_space + 10) + row * static_cast<float>(lessons.folder().lessons().size());
    const float height = std::min(wanted, window.height() - ui.px(24));
    const ImVec2 min{std::round((window.min.x + window.max.x - width) / 2),
                     std::round((window.min.y + window.max.y - height) / 2)};
    const Box card{min, {min.x + width, min.y + height}};
    const ModalCard over(ui, "course", window, card);
    if (over.clicked_beside()) menu.course = false;
    draw_card(frame, lessons, card);
}

}  // namespace glassformer::app
