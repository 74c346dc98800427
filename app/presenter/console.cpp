#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

#include "app/language/tr.h"
#include "app/lessons/lesson_text.h"
#include "app/presenter/presenter.h"
#include "app/ui/scroll_area.h"

namespace glassformer::app {

namespace {

// Pixels at 100 %.
constexpr float pad = 14, gap = 10, clock_height = 44, button_height = 38, columns_from = 900, vote_row = 24;

std::string minutes_and_seconds(double seconds) {
    const auto whole = static_cast<long long>(std::floor(std::abs(seconds)));
    char text[32];
    std::snprintf(text, sizeof text, "%s%lld:%02lld", seconds <= -1 ? "−" : "", whole / 60, whole % 60);
    return text;
}

/// What PageDown leads to.
struct Then {
    std::string title, kind;
};

Then what_follows(const Console::Shown& shown) {
    if (shown.vote.open()) return {shown.vote.next_word(), {}};
    const LessonRunner& lessons = shown.lessons;
    if (const Lesson* wanted = lessons.wanted()) return {wanted->title, tr("Its model opens, and the lesson starts.")};
    if (!lessons.open()) return {std::string(tr(std::string(shown.next_panel).c_str())), {}};
    if (lessons.asks()) return {tr("The answer"), tr("Let the class guess first.")};
    const Lesson& lesson = *lessons.lesson();
    const auto next = static_cast<std::size_t>(lessons.at()) + 1;
    if (next >= lesson.steps.size()) return {tr("The end of the lesson"), tr("Esc ends it.")};
    const LessonStep& step = lesson.steps[next];
    return {step.title, step.question ? tr("It asks a question.") : step.task ? tr("It sets a task.") : ""};
}

/// Draws a part of the reading: its heading and its text.
float draw_part(const Ui& ui, const char* item, ImVec2 at, float width, std::string_view heading, std::string_view text,
                FontRole font) {
    float y = at.y;
    y += draw::text_wrapped(ui, {at.x, y}, width, heading, {FontRole::small_bold, ui.theme->text_muted});
    y += draw::text_wrapped(ui, {at.x, y}, width, text, {font});
    ui.items->add(item, {at, {at.x + width, y}}, std::nullopt, text);
    return y - at.y;
}

float part_height(const Ui& ui, float width, std::string_view heading, std::string_view text, FontRole font) {
    return draw::wrapped_height(ui, width, heading, FontRole::small_bold) + draw::wrapped_height(ui, width, text, font);
}

/// Draws both votes, a row for each choice.
float draw_tally(const Ui& ui, ImVec2 at, float width, const Vote& vote) {
    const bool second = vote.phase() >= Vote::Phase::second;
    float y = at.y + draw::text_wrapped(ui, at, width, second ? tr("Votes: first, second") : tr("Votes"),
                                        {FontRole::small_bold, ui.theme->text_muted});
    int all = 1;
    for (const VoteChoice& c : vote.choices()) all = std::max({all, c.votes(0), c.votes(1)});
    char letter[] = "A";
    for (const VoteChoice& c : vote.choices()) {
        const float bottom = y + ui.px(vote_row), from = at.x + ui.px(24), to = at.x + width - ui.px(72),
                    middle = std::round((y + bottom) / 2), inset = ui.px(3);
        draw::text_in(ui, {{at.x, y}, {from, bottom}}, letter, {FontRole::body_bold});
        const auto share = [&](int hands) { return static_cast<float>(hands) / static_cast<float>(all); };
        draw::bar(ui, {{from, y + inset}, {to, second ? middle - 1 : bottom - inset}}, share(c.votes(0)),
                  second ? with_alpha(ui.theme->accent, 0.45f) : ui.theme->accent, ui.theme->track);
        if (second)
            draw::bar(ui, {{from, middle + 1}, {to, bottom - inset}}, share(c.votes(1)), ui.theme->accent,
                      ui.theme->track);
        const std::string_view hands =
            second ? ui.items->format("%d · %d", c.votes(0), c.votes(1)) : ui.items->format("%d", c.votes(0));
        draw::text_in(ui, {{to, y}, {at.x + width, bottom}}, hands, {FontRole::body_bold, 0, draw::Align::right});
        ui.items->add(ui.items->format("console/vote/%s", letter), {{at.x, y}, {at.x + width, bottom}},
                      c.votes(second ? 1 : 0), c.text);
        y = bottom;
        ++letter[0];
    }
    return y - at.y;
}

float tally_height(const Ui& ui, float width, const Vote& vote) {
    return draw::wrapped_height(ui, width, tr("Votes: first, second"), FontRole::small_bold) +
           ui.px(vote_row) * static_cast<float>(vote.choices().size());
}

}  // namespace

void Console::follow(const Frame& frame, const LessonRunner& lessons) {
    now_ = ImGui::GetTime();
    const std::string lesson = lessons.open() ? lessons.lesson()->name : lesson_;
    if (begun_ < 0 || lesson != lesson_) begun_ = now_;
    lesson_ = lesson;
    noted_ = lessons.open() && !lessons.step().notes.empty();
    if (!noted_)
        notes_ = {};
    else if (lessons.on_screen())
        notes_ = shown_text(lessons.step().notes, lessons.place(frame.snapshot));
}

/// Draws the elapsed time and what is left of the lesson's minutes; a click restarts the clock.
float Console::draw_clock(const Frame& frame, const Box& row, const Lesson* lesson) {
    const Ui& ui = frame.ui;
    const Theme& t = *ui.theme;
    const float middle = std::round(row.middle_x()), restart = ui.px(28);
    const auto time = [&](const char* item, const Box& box, double seconds, const char* what, ImU32 colour) {
        const float line = ui.line(FontRole::big_bold);
        draw::text_in(ui, box.top(line), minutes_and_seconds(seconds), {FontRole::big_bold, colour});
        draw::text_in(ui, box.below(box.min.y + line), what, {FontRole::small, t.text_muted});
        ui.items->add(item, box, std::floor(seconds), what);
    };
    time("console/clock", row.left_of(middle), elapsed(), tr("elapsed"), 0);
    if (lesson && lesson->minutes > 0) {
        const double left = 60.0 * lesson->minutes - elapsed();
        time("console/left", row.between_x(middle, row.max.x - restart), left, left < 0 ? tr("over") : tr("left"),
             left < 0 ? t.danger_text : 0);
    }
    const ButtonStyle style{.tone = Tone::bare, .tooltip = tr("Restart the clock"), .icon = draw::Icon::restart};
    if (button(ui, "console/restart", {{row.max.x - restart, row.min.y}, {row.max.x, row.min.y + restart}}, "", style))
        begun_ = now_;
    return row.height();
}

/// The clicker's buttons first; the others in a row below.
float Console::draw_buttons(const Frame& frame, const Box& box, const Shown& shown, Ask& ask) const {
    const Ui& ui = frame.ui;
    struct Button {
        const char *item, *text;
        Ask ask;
        Tone tone;
        bool selected;
    };
    std::vector<Button> buttons{
        {"console/back", tr("Back"), Ask::back, Tone::plain, false},
        {"console/next", tr("Next"), Ask::next, Tone::primary, false},
        {"console/black", tr("Black"), Ask::blank, Tone::plain, shown.tools.blank},
        {"console/freeze", tr("Freeze"), Ask::freeze, Tone::plain, shown.tools.frozen()},
        {"console/vote", tr("Vote"), Ask::vote, Tone::plain, shown.vote.open()},
    };
    if (shown.vote.open())
        buttons.push_back({"console/phones", tr("Phones"), Ask::phones, Tone::plain, shown.vote.phones().on()});
    if (shown.stage.texture) buttons.push_back({"console/swap", tr("Swap screens"), Ask::nothing, Tone::quiet, false});
    const float height = ui.px(button_height), space = ui.px(gap);
    float y = box.min.y;
    for (std::size_t i = 0; i < buttons.size();) {
        const std::size_t in_row = i == 0 ? 2 : buttons.size() - i;
        const auto count = static_cast<float>(in_row);
        const float width = std::floor((box.width() - (count - 1) * space) / count);
        float x = box.min.x;
        for (const std::size_t end = i + in_row; i < end; ++i, x += width + space) {
            const Button& b = buttons[i];
            const ButtonStyle style{.tone = b.tone, .selected = b.selected, .font = FontRole::body_bold};
            if (!button(ui, b.item, {{x, y}, {x + width, y + height}}, b.text, style)) continue;
            ask = b.ask;
            frame.state.window.console.swap_screens = b.ask == Ask::nothing;
        }
        y += height + space;
    }
    return y - box.min.y;
}

float Console::reading_height(const Frame& frame, float width, const Shown& shown) const {
    const Ui& ui = frame.ui;
    const Then then = what_follows(shown);
    float height = part_height(ui, width, tr("Up next"), then.title, FontRole::body_bold) +
                   (then.kind.empty() ? 0 : draw::wrapped_height(ui, width, then.kind)) + ui.px(gap);
    if (shown.vote.open()) height += tally_height(ui, width, shown.vote) + ui.px(gap);
    if (!shown.lessons.open()) return height;
    height +=
        part_height(ui, width, tr("Step %d of %d"), shown.lessons.step().title, FontRole::title_bold) + ui.px(gap);
    return height +
           (noted_ ? lesson_text_height(ui, width, notes_.text, notes_.values)
                   : draw::wrapped_height(ui, width, tr("This step has no notes."))) +
           ui.px(gap);
}

/// Draws the step with its notes, what comes next, and the votes.
float Console::draw_reading(const Frame& frame, const Box& box, const Shown& shown) const {
    const Ui& ui = frame.ui;
    const float x = box.min.x, width = box.width();
    float y = box.min.y;
    if (shown.vote.open()) y += draw_tally(ui, {x, y}, width, shown.vote) + ui.px(gap);
    if (shown.lessons.open()) {
        const Lesson& lesson = *shown.lessons.lesson();
        const int at = shown.lessons.at() + 1;
        const std::string_view heading =
            ui.items->format(tr("Step %d of %d"), at, static_cast<int>(lesson.steps.size()));
        const float step =
            draw_part(ui, "console/step", {x, y}, width, heading, shown.lessons.step().title, FontRole::title_bold);
        y += step + ui.px(gap);
        const float from = y;
        if (noted_)
            y += draw_lesson_text(frame, {x, y}, width, notes_.text, notes_.values, "console/note");
        else
            y += draw::text_wrapped(ui, {x, y}, width, tr("This step has no notes."),
                                    {FontRole::body, ui.theme->text_muted});
        ui.items->add("console/notes", {{x, from}, {x + width, y}}, item_state(noted_ ? 1 : 0));
        y += ui.px(gap);
    }
    const Then then = what_follows(shown);
    y += draw_part(ui, "console/then", {x, y}, width, tr("Up next"), then.title, FontRole::body_bold);
    if (!then.kind.empty())
        y += draw::text_wrapped(ui, {x, y}, width, then.kind, {FontRole::body, ui.theme->text_muted});
    return y + ui.px(gap) - box.min.y;
}

/// Draws the stage completely, as large as it fits. If the audience sees something else, says so above it and frames it
/// in gold.
void Console::draw_stage(const Frame& frame, const Box& box, const Shown& shown) const {
    const Ui& ui = frame.ui;
    const StagePicture& stage = shown.stage;
    ImVec2 min = box.min;
    const bool covered = shown.tools.covers();
    if (covered) {
        const char* told = shown.tools.blank
                               ? tr("The audience sees a black screen. Prepare what comes next here; B shows it.")
                               : tr("The audience sees a frozen picture. Prepare what comes next here; F shows it.");
        min.y += draw::label_wrapped(ui, min, box.width(), told, {FontRole::body_bold}, {"console/covered"});
        min.y += ui.px(gap);
    }
    const float times = std::min(box.width() / stage.size.x, (box.max.y - min.y) / stage.size.y);
    const ImVec2 max{min.x + std::floor(stage.size.x * times), min.y + std::floor(stage.size.y * times)};
    ui.list()->AddImage(stage.texture, min, max, {0, 1}, {1, 0});  // OpenGL's rows start at the bottom
    ui.list()->AddRect(min, max, covered ? ui.theme->selection : ui.theme->control_border, 0, 0,
                       ui.px(covered ? 2 : 1));
    ui.items->add("console/stage", {min, max});
}

Console::Ask Console::draw(const Frame& frame, const Box& box, const Shown& shown) {
    const Ui& ui = frame.ui;
    const Lesson* lesson = shown.lessons.open() ? shown.lessons.lesson().get() : nullptr;
    draw::card(ui, box);
    ui.items->add("console", box);
    const float space = ui.px(pad), gap_here = ui.px(gap);
    Box inner = box.inset(space);
    Ask ask = Ask::nothing;
    Box tools = inner;
    const bool columns = shown.stage.texture && inner.width() >= ui.px(columns_from);
    if (columns) {
        tools.max.x = std::round(inner.min.x + inner.width() * 0.52f);
        inner.min.x = tools.max.x + 2 * space;
    }
    float y = tools.min.y;
    y += draw_clock(frame, tools.above(y + ui.px(clock_height)), lesson) + gap_here;
    y += draw_buttons(frame, tools.below(y), shown, ask);
    if (!columns) inner.min.y = y;
    if (shown.stage.texture) {
        const float bottom = columns ? tools.max.y : y + std::round(tools.height() * 0.3f);
        draw_stage(frame, tools.between_y(y, bottom), shown);
        if (!columns) inner.min.y = bottom + gap_here;
    }
    const ScrollArea area(ui, "##console", inner, reading_height(frame, inner.width(), shown));
    draw_reading(frame, area.content(), shown);
    return ask;
}

}  // namespace glassformer::app
