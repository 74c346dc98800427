#include "app/lessons/lesson_view.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <string>

#include "app/language/sentences.h"
#include "app/language/tr.h"
#include "app/lessons/lesson_text.h"
#include "app/ui/opaque_fill.h"
#include "app/ui/scroll_area.h"

namespace glassformer::app {

namespace {

// Pixels at 100 %. The columns line up with those of the panels above.
constexpr float lesson_pad = 14, left_column = 236, lesson_right_column = 364, text_most = 900,
                lesson_button_height = 30, row_gap = 6, columns_from = 1000, least_height = 124, least_on_stage = 80,
                most_share = 0.34f, most_share_narrow = 0.385f;

// In a narrow window, this share keeps a card's words visible at 1280 × 720 and 200 %, the smallest case tested.

bool in_columns(const Ui& ui, float width) { return width >= ui.px(columns_from); }

/// Positions in a wide box.
struct Columns {
    float left, left_end, text, text_end, right, right_end;
};
Columns columns(const Ui& ui, const Box& box) {
    Columns c{};
    c.left = box.min.x + ui.px(lesson_pad);
    c.left_end = box.min.x + ui.px(left_column) - ui.px(lesson_pad);
    c.text = box.min.x + ui.px(left_column) + ui.px(lesson_pad);
    c.right = box.max.x - ui.px(lesson_right_column) - ui.px(12);
    c.right_end = box.max.x - ui.px(lesson_pad);
    c.text_end = std::min(c.right - ui.px(24), c.text + ui.px(text_most));
    return c;
}

using Choices = std::vector<std::string>;

/// With the key that selects it; before an audience, whose keys are for counting hands, with a letter to vote for.
std::string_view choice_text(const Ui& ui, const Choices& choices, std::size_t i, bool audience) {
    const char sign = static_cast<char>((audience ? 'A' : '1') + static_cast<int>(i));
    return ui.items->format("%c · %s", sign, choices[i].c_str());
}

float choice_width(const Ui& ui, const Choices& choices, std::size_t i) {
    ButtonStyle style;
    style.icon = draw::Icon::check;  // room for the mark that comes later
    return chip_width(ui, choice_text(ui, choices, i, true), style);
}

/// As in the file, with placeholders for what is not evaluated yet.
Choices choices_to_measure(const Question& q) {
    Choices choices(static_cast<std::size_t>(q.count), tr("a long word"));
    for (const Choice& choice : q.choices) {
        std::string& text = choices.emplace_back();
        for (const LiveText::Piece& piece : choice.text.pieces) text += piece.live ? "0.00" : piece.text;
    }
    return choices;
}

/// Places the choices in rows; calls `place(i, box)` and returns the height.
template <typename Place>
float choice_rows(const Ui& ui, ImVec2 at, float width, const Choices& choices, const Place& place) {
    const float height = ui.px(lesson_button_height), gap = ui.px(row_gap);
    float x = at.x, y = at.y;
    for (std::size_t i = 0; i < choices.size(); ++i) {
        const float w = std::min(choice_width(ui, choices, i), width);
        if (x > at.x && x + w > at.x + width) x = at.x, y += height + gap;
        place(i, Box{{x, y}, {x + w, y + height}});
        x += w + gap;
    }
    return y + height - at.y;
}
float choices_height(const Ui& ui, float width, const Choices& choices) {
    return choice_rows(ui, {0, 0}, width, choices, [](std::size_t, const Box&) {});
}

/// Why the guess is wrong: the bar at its left, and the gap below the choices.
constexpr float because_bar = 10, because_gap = 8;  // pixels at 100 %

float because_height(const Ui& ui, float width, const LiveText& because, std::span<const LiveValue> values) {
    return because.empty() ? 0
                           : ui.px(because_gap) + lesson_text_height(ui, width - ui.px(because_bar), because, values);
}

/// The choices and what is below them.
float question_height(const Ui& ui, float width, const Question& q) {
    return choices_height(ui, width, choices_to_measure(q)) + because_height(ui, width, longest_because(q), {});
}

/// The step's text and what follows its guess, whether shown yet or not.
float text_height(const Ui& ui, float width, const LessonStep& step) {
    float height = lesson_text_height(ui, width, longest_text(step.text), {});
    if (step.question) height += ui.px(5) + lesson_text_height(ui, width, longest_text(step.question->after), {});
    return height;
}

float wanted_height(const Ui& ui, const Box& window, const LessonStep& step) {
    const float row = ui.px(lesson_button_height) + ui.px(row_gap);
    if (in_columns(ui, window.width())) {
        const Columns c = columns(ui, window);
        const float choices = step.question ? question_height(ui, c.right_end - c.right, *step.question)
                              : step.task   ? task_height(ui)
                                            : 0;
        return std::max(text_height(ui, c.text_end - c.text, step), choices + ui.px(10) + row) + 2 * ui.px(12);
    }
    const float width = window.width() - 2 * ui.px(lesson_pad);
    const float choices = step.question ? question_height(ui, width, *step.question) + ui.px(8)
                          : step.task   ? task_height(ui) + ui.px(8)
                                        : 0;
    return row + ui.px(4) + text_height(ui, width, step) + choices + 2 * ui.px(8);
}

/// Draws one step. Lives for one call.
class LessonCard {
public:
    LessonCard(const Frame& frame, LessonRunner& lessons, const Box& box)
        : frame_(frame), ui_(frame.ui), lessons_(lessons), step_(lessons.step()), box_(box) {}

    void draw() {
        ui_.items->add("lesson", box_, item_state(lessons_.at() + 1), step_.title);
        ui_.items->add("lesson/scene", box_, item_state(lessons_.on_screen() ? 1 : 0));
        if (in_columns(ui_, box_.width()))
            draw_columns();
        else
            draw_stacked();
    }

private:
    void draw_columns() {
        const Columns c = columns(ui_, box_);
        const float top = box_.min.y + ui_.px(12), bottom = box_.max.y - ui_.px(12);
        draw_title({{c.left, top}, {c.left_end, bottom}});
        const float row = bottom - ui_.px(lesson_button_height), width = c.right_end - c.right;
        // Show why the guess is wrong below it if there is room, otherwise before the answer.
        const ShownText& because = lessons_.because();
        const float below = top + choices_height(ui_, width, lessons_.asked().choices);
        const bool fits = below + because_height(ui_, width, because.text, because.values) <= row - ui_.px(row_gap);
        draw_body({{c.text, top}, {c.text_end, bottom}}, false, !fits);
        if (step_.question) draw_choices({c.right, top}, width);
        if (fits) draw_because({c.right, below}, width);
        if (step_.task) draw_task(frame_, lessons_, {c.right, top}, c.right_end - c.right);
        draw_links({c.right, step_.question || step_.task ? row : top}, draw_way({c.right_end, row}));
    }

    void draw_stacked() {
        const float side = ui_.px(lesson_pad), top = box_.min.y + ui_.px(8), row = ui_.px(lesson_button_height);
        const float left = box_.min.x + side, right = box_.max.x - side;
        const float way = draw_way({right, top}), links = draw_links({left, top}, way);
        draw::text_in(ui_, {{links, top}, {way - ui_.px(8), top + row}}, numbered(), {FontRole::body_bold});
        draw_body({{left, top + row + ui_.px(row_gap)}, {right, box_.max.y - ui_.px(8)}}, true, true);
    }

    std::string_view numbered() const {
        return ui_.items->format("%d/%d · %s", lessons_.at() + 1, static_cast<int>(lessons_.lesson()->steps.size()),
                                 step_.title.c_str());
    }

    void draw_title(const Box& box) const {
        const Theme& t = *ui_.theme;
        const float line = ui_.line(FontRole::small);
        draw::text_in(ui_, box.top(line), ui_.items->format(tr("Lesson · %s"), lessons_.lesson()->title.c_str()),
                      {FontRole::small, t.text_muted});
        draw::text_wrapped(ui_, {box.min.x, box.min.y + line + ui_.px(6)}, box.width(), step_.title,
                           {FontRole::title_bold});
        draw_dots({box.min.x, box.max.y - line}, line);
    }

    /// One dot per step; the steps already done are filled.
    void draw_dots(ImVec2 at, float line) const {
        const Theme& t = *ui_.theme;
        const int count = static_cast<int>(lessons_.lesson()->steps.size());
        const float radius = ui_.px(3), apart = ui_.px(12), y = at.y + line / 2;
        float x = at.x + radius;
        for (int i = 0; i < count; ++i, x += apart) {
            const bool here = i == lessons_.at();
            const ImU32 colour = here || i < lessons_.at() ? t.accent : t.track;
            ui_.list()->AddCircleFilled({x, y}, here ? radius + ui_.px(1) : radius, colour);
            if (here) ui_.list()->AddCircle({x, y}, radius + ui_.px(3), t.accent, 0, ui_.px(1));
        }
        draw::text(ui_, {x + ui_.px(4), at.y}, ui_.items->format("%d / %d", lessons_.at() + 1, count),
                   {FontRole::small, t.text_muted});
    }

    /// Beside a bar in the colour of a wrong guess's mark.
    float draw_because(ImVec2 at, float width) const {
        const ShownText& because = lessons_.because();
        const float height = because_height(ui_, width, because.text, because.values);
        if (height == 0) return 0;
        const ImVec2 from{at.x, at.y + ui_.px(because_gap)}, to{at.x + width, at.y + height};
        ui_.list()->AddRectFilled(from, {from.x + ui_.px(3), to.y}, ui_.theme->danger);
        draw_lesson_text(frame_, {from.x + ui_.px(because_bar), from.y}, width - ui_.px(because_bar), because.text,
                         because.values, "lesson/because");
        ui_.items->add("lesson/because", {from, to}, std::nullopt, plain_text(because));
        return height;
    }

    /// Draws the text, the choices below it if there are no columns, and why the guess is wrong.
    void draw_body(const Box& box, bool with_choices, bool with_because) {
        const float bar = ImGui::GetStyle().ScrollbarSize + ui_.px(6), space = ui_.px(5);
        const ShownText &after = lessons_.after(), waiting{sure_text(step_.text), {}};
        // Until the scene is first on screen, with placeholders for its numbers.
        const ShownText& asked = lessons_.text().text.empty() ? waiting : lessons_.text();
        const bool answered = step_.question && !lessons_.asks() && !after.text.empty();
        const ShownText hints = hints_asked_for();
        const auto height = [&](float width) {
            float h = lesson_text_height(ui_, width, asked.text, asked.values);
            if (!hints.text.empty()) h += space + lesson_text_height(ui_, width, hints.text, hints.values);
            if (with_choices && step_.task) h += ui_.px(8) + task_height(ui_);
            if (answered) h += space + lesson_text_height(ui_, width, after.text, after.values);
            if (with_choices && step_.question) h += ui_.px(8) + choices_height(ui_, width, lessons_.asked().choices);
            if (with_because) h += because_height(ui_, width, lessons_.because().text, lessons_.because().values);
            return h;
        };
        const bool scrolls = height(box.width()) > box.height() + 0.5f;
        if (scrolls) ui_.items->add("lesson/scrolls", box, item_state(height(box.width()) - box.height()));
        const float width = scrolls ? box.width() - bar : box.width(), needed = height(width);
        const std::string id = "##lesson " + std::to_string(lessons_.at());  // each step starts at its top
        const ScrollArea area(ui_, id.c_str(), box, needed);
        ImVec2 at = area.content().min;
        if (!scrolls && !with_choices && needed < box.height()) at.y += std::floor((box.height() - needed) * 0.3f);
        at.y += draw_lesson_text(frame_, at, width, asked.text, asked.values, "lesson/number");
        if (!hints.text.empty()) {
            at.y += space;
            at.y += draw_lesson_text(frame_, at, width, hints.text, hints.values, "lesson/hint");
        }
        if (with_choices && step_.task) draw_task(frame_, lessons_, {at.x, at.y + ui_.px(6)}, width);
        if (with_choices && step_.question) {
            at.y += ui_.px(6);
            at.y += draw_choices(at, width);
        }
        if (with_because) at.y += draw_because(at, width);
        if (!answered) return;
        at.y += space;
        draw_lesson_text(frame_, at, width, after.text, after.values, "lesson/after");
    }

    ShownText hints_asked_for() const {
        if (!step_.task) return {};
        const TaskAnswer answer = lessons_.homework().at(lessons_.lesson()->name, lessons_.at());
        return shown_hints(*step_.task, answer.hints, lessons_.place(frame_.snapshot));
    }

    float draw_choices(ImVec2 at, float width) {
        int chosen = -1;
        const float height = choice_rows(ui_, at, width, lessons_.asked().choices, [&](std::size_t i, const Box& box) {
            if (draw_choice(i, box)) chosen = static_cast<int>(i);
        });
        if (chosen >= 0) lessons_.take_guess(frame_, chosen);
        return height;
    }

    bool draw_choice(std::size_t i, const Box& box) const {
        const AskedQuestion& q = lessons_.asked();
        const bool asks = lessons_.asks(), chosen = !asks && lessons_.guess() == static_cast<int>(i);
        const bool known = !asks && !q.right.empty();  // not while the scene with the answer is still training
        const bool right = known && i < q.right.size() && q.right[i];
        ButtonStyle style;
        const std::string_view label = ui_.items->format("lesson/choice %d", static_cast<int>(i) + 1);
        if (right) {
            style.tone = Tone::good;
            style.icon = draw::Icon::check;
        } else if (chosen && known) {
            style.tone = Tone::danger;
            style.icon = draw::Icon::close;
        } else if (chosen) {
            style.tone = Tone::attention;
        } else {
            style.enabled = asks;
        }
        const bool clicked =
            button(ui_, label, box, choice_text(ui_, q.choices, i, frame_.state.presenter), style).clicked && asks;
        // 1: right, 0: wrong; no value before the guess, nor before the answer is known.
        if (known) ui_.items->add(label, box, item_state(right ? 1 : 0), q.choices[i]);
        return clicked;
    }

    /// Draws the link back to what the step shows, if the user has left it, and on the last step the one to the next
    /// lesson. Returns where they end.
    float draw_links(ImVec2 at, float right) {
        LessonMenu& menu = frame_.state.window.lessons;
        const float height = ui_.px(lesson_button_height);
        // The first text that fits; otherwise the icon.
        const auto link = [&](const char* label, std::initializer_list<std::string_view> texts, std::string_view sign,
                              const ButtonStyle& style) {
            const auto text = std::ranges::find_if(texts, [&](std::string_view each) {
                return at.x + chip_width(ui_, each, style) <= right - ui_.px(row_gap);
            });
            const bool fits = text != texts.end();
            const float wide = fits ? chip_width(ui_, *text, style) : height;
            const ImVec2 from = at;
            at.x += wide + ui_.px(row_gap);
            return button(ui_, label, {from, {from.x + wide, from.y + height}}, fits ? *text : sign, style).clicked;
        };
        if (lessons_.led_elsewhere(frame_)) {
            const ButtonStyle style{
                .tone = Tone::attention,
                .tooltip =
                    tr("Back to this step\nRestores the sentences, word, head and view that the text is about.")};
            if (link("lesson/again", {tr("Back to this step")}, "↺", style)) menu.ask = LessonMenu::Ask::again;
        }
        if (!lessons_.refusal().empty()) {
            const std::string tip =
                filled(tr("Try again\nThis step's model could not be opened: {1}"), {tr_sentence(lessons_.refusal())});
            const ButtonStyle style{.tone = Tone::attention, .tooltip = tip};
            if (link("lesson/again", {tr("Model not opened. Try again")}, "↺", style))
                menu.ask = LessonMenu::Ask::again;
        }
        const bool last = lessons_.at() + 1 == static_cast<int>(lessons_.lesson()->steps.size());
        if (last && has_tasks(*lessons_.lesson())) {
            const ButtonStyle style{
                .tone = Tone::good,
                .tooltip = tr("Hand in…\nSaves your answers and the screen as one file for your teacher.")};
            if (link("lesson/hand in", {tr("Hand in…")}, "✓", style))
                frame_.state.window.palette = {true, true, PaletteState::Page::homework, "", 0, 0};
        }
        if (const Lesson* next = lessons_.next(); last && next && !lessons_.asks()) {
            const std::string tip = filled(tr("Next: {1}\n{2}"), {next->title, next->about});
            const ButtonStyle style{.tone = Tone::good, .tooltip = tip};
            if (link("lesson/next lesson", {ui_.items->format(tr("Next: %s"), next->title.c_str()), tr("Next lesson")},
                     "→", style)) {
                menu.ask = LessonMenu::Ask::start;
                menu.which = lessons_.folder().find(next->name);
                menu.step = 0;
            }
        }
        return at.x;
    }

    /// Draws the buttons at the right end of a row that begins at `right_top.y`; returns where they begin.
    float draw_way(ImVec2 right_top) {
        LessonMenu& menu = frame_.state.window.lessons;
        const float height = ui_.px(lesson_button_height), gap = ui_.px(row_gap);
        const bool last = lessons_.at() + 1 == static_cast<int>(lessons_.lesson()->steps.size());
        const bool asks = lessons_.asks() && lessons_.refusal().empty();
        const std::string_view next = asks ? tr("Show me") : last ? tr("Finish") : tr("Next");
        ButtonStyle primary, quiet, close;
        primary.tone = asks ? Tone::attention : Tone::primary;
        primary.font = FontRole::body_bold;
        primary.tooltip = tr("N or Enter");
        if (lessons_.waits(frame_.snapshot)) {
            primary.enabled = false;
            primary.tooltip = tr("The model is training for this step.");
        }
        quiet.enabled = lessons_.at() > 0;
        quiet.tooltip = "P";
        close.tone = Tone::bare;
        close.icon = draw::Icon::close;
        close.tooltip = lessons_.training_stays(frame_.snapshot)
                            ? tr("Leave the lesson (Esc)\nYour training stays open, with a button to go back to what "
                                 "was there before. The lesson continues here when you return.")
                            : tr("Leave the lesson (Esc)\nThe screen goes back to what it was. The lesson continues "
                                 "here when you return.");
        // The buttons stay in place, whatever the text of the next one.
        float wide = 0;
        for (const char* says : {tr("Show me"), tr("Next"), tr("Finish")})
            wide = std::max(wide, chip_width(ui_, says, primary));
        const float narrow = chip_width(ui_, tr("Back"), quiet);
        float x = right_top.x - height;
        const float y = right_top.y;
        if (button(ui_, "lesson/leave", {{x, y}, {x + height, y + height}}, "", close))
            menu.ask = LessonMenu::Ask::leave;
        x -= gap + wide;
        if (button(ui_, "lesson/next", {{x, y}, {x + wide, y + height}}, next, primary))
            menu.ask = LessonMenu::Ask::next;
        x -= gap + narrow;
        if (button(ui_, "lesson/back", {{x, y}, {x + narrow, y + height}}, tr("Back"), quiet))
            menu.ask = LessonMenu::Ask::back;
        return x;
    }

    const Frame& frame_;
    const Ui& ui_;
    LessonRunner& lessons_;
    const LessonStep& step_;
    Box box_;
};

}  // namespace

float lesson_height(const Frame& frame, const LessonRunner& lessons, const Box& window) {
    const Ui& ui = frame.ui;
    // An audience gets no offer.
    if (lessons.wanted() || lessons.way_back() || (lessons.offering_first() && !frame.state.presenter))
        return lesson_banner_height(frame, lessons, window);
    if (!lessons.open()) return 0;
    LessonRunner::Measured& m = lessons.measured();
    // Before an audience, nobody needs the buttons to stay in place, and the view gets the room that a step leaves.
    const int alone = frame.state.presenter ? lessons.at() : -1;
    if (m.lesson != lessons.lesson().get() || m.step != alone || m.width != window.width() ||
        m.window_height != window.height() || m.scale != ui.scale) {
        m = {lessons.lesson().get(), alone, window.width(), window.height(), ui.scale, 0};
        for (const LessonStep& step : lessons.lesson()->steps)
            if (alone < 0 || &step == &lessons.step()) m.height = std::max(m.height, wanted_height(ui, window, step));
    }
    const float share = in_columns(ui, window.width()) ? most_share : most_share_narrow;
    const float least = ui.px(alone < 0 ? least_height : least_on_stage);
    return std::floor(std::clamp(m.height, least, std::max(least, window.height() * share)));
}

void draw_lesson(const Frame& frame, LessonRunner& lessons, const Box& box) {
    const Ui& ui = frame.ui;
    draw::opaque_fill(ui, box, ui.theme->card);
    ui.list()->AddRectFilled(box.min, {box.max.x, box.min.y + ui.px(2)}, ui.theme->accent);
    if (lessons.open() && !lessons.wanted()) return LessonCard(frame, lessons, box).draw();
    draw_lesson_banner(frame, lessons, box);
}

}  // namespace glassformer::app
