#include "app/panels/messages/error_bar.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "app/language/sentences.h"
#include "app/language/tr.h"
#include "app/panels/timeline/timeline_state.h"
#include "app/ui/child_window.h"
#include "app/ui/running_text.h"

namespace glassformer::app {

namespace {

constexpr std::size_t most_lines = 3;

/// The message in at most three lines; the last one holds all the rest, to be cut with an ellipsis.
struct Lines {
    std::array<std::string_view, most_lines> line;
    std::size_t count = 0;
};

Lines wrap(const Ui& ui, std::string_view text, float width) {
    Lines lines;
    const std::vector<std::string_view> rows = draw::wrapped_lines(ui, text, width, FontRole::body);
    for (; lines.count < std::min(most_lines, rows.size()); ++lines.count) lines.line[lines.count] = rows[lines.count];
    if (rows.size() > most_lines) {
        const char* const last = rows[most_lines - 1].data();
        const std::string_view rest(last, static_cast<std::size_t>(text.data() + text.size() - last));
        lines.line[most_lines - 1] = rest.substr(0, rest.find('\n'));
    }
    return lines;
}

void draw_message(const Ui& ui, const Message& message, const Box& box, const Lines& lines, float text_right) {
    const Theme& t = *ui.theme;
    const bool good = message.tone == Tone::good;
    draw::rounded_box(ui, box, good ? t.good_tint : t.danger_tint, good ? t.good : t.danger, 8);
    const float pad = ui.px(12), row = std::round(ui.line(FontRole::body) * 1.22f);
    float y = box.min.y + std::round((box.height() - row * to_float(lines.count)) / 2);
    bool cut = false;
    for (std::size_t i = 0; i < lines.count; ++i, y += row)
        cut |= draw::text_in(ui, {{box.min.x + pad, y}, {text_right, y + row}}, lines.line[i],
                             {FontRole::body, good ? t.good_text : t.danger_text});
    ui.items->add(message.label, box, item_state(message.number), message.text);
    if (cut && draw::hovered(box.left_of(text_right))) draw::tooltip(ui, box, message.text);
}

}  // namespace

bool draw_message_bar(const Ui& ui, const Message& message, Box& box, Bars bars) {
    const float margin = ui.px(8), pad = ui.px(10), close = ui.px(28);
    Box bar = box.inset(margin);
    const float text_right = bar.max.x - close - 2 * pad, row = std::round(ui.line(FontRole::body) * 1.22f);
    const Lines lines = wrap(ui, message.text, text_right - bar.min.x - ui.px(12));
    bar = bar.top(std::max(close, row * to_float(lines.count)) + 2 * ui.px(6));
    box.min.y = bar.max.y;
    if (bars == Bars::placed) return false;
    const ChildWindow window(ui, message.label, bar, ChildWindow::Kind::overlay);
    draw_message(ui, message, bar, lines, text_right);
    const ButtonStyle style{.tone = message.tone, .tooltip = tr("Dismiss"), .icon = draw::Icon::close};
    const ImVec2 at{bar.max.x - pad - close, std::round((bar.min.y + bar.max.y - close) / 2)};
    return button(ui, ui.items->format("%s/dismiss", message.label), Box::sized(at, close, close), "", style).clicked;
}

namespace {

/// One of the three messages of ErrorBarState that has something to say.
struct Present {
    std::size_t which;
    Message message;
    std::function<void()> dismiss;
};

std::vector<Present> messages_of(const Frame& frame, std::string& error_text, std::string& film_text) {
    std::vector<Present> found;
    const Snapshot& s = frame.snapshot;
    ErrorBarState& state = frame.own<ErrorBarState>();
    FilmRecording& film = frame.own<TimelineState>().recording;
    Notice& notice = frame.state.window.notice;
    const RunInfo* run = s.current_run();
    if (!notice.run.empty() && (!run || std::filesystem::path(run->folder) != notice.run)) notice = {};
    if (film.unseen) return found;
    if (!s.error.empty() && s.error_number > state.dismissed) {
        error_text = tr_sentence(s.error);
        found.push_back({0, {"error", error_text, s.error_number}, [&] { state.dismissed = s.error_number; }});
    }
    if (film.total > 0) {
        film_text =
            filled(tr("Picture {1} of {2} of the film · {3}"),
                   {std::to_string(std::min(film.done + 1, film.total)), std::to_string(film.total), film.folder});
        found.push_back({1, {"film/recording", film_text, film.done, Tone::good}, [&] { film.asked_to_stop = true; }});
    }
    if (!notice.text.empty())
        found.push_back(
            {2, {"notice", notice.text, notice.good, notice.good ? Tone::good : Tone::danger}, [&] { notice = {}; }});
    return found;
}

/// Sorts the newest first. A film's text changes with each picture, but that does not make it newer.
void sort_by_age(ErrorBarState& state, std::vector<Present>& found) {
    for (std::size_t which = 0; which < state.came.size(); ++which) {
        const auto at = std::ranges::find(found, which, &Present::which);
        if (at == found.end()) {
            state.came[which] = 0;
        } else if (state.came[which] == 0 || (which != 1 && state.said[which] != at->message.text)) {
            state.came[which] = ++state.newest;
            state.said[which] = at->message.text;
        }
    }
    std::ranges::stable_sort(found, std::ranges::greater(),
                             [&](const Present& present) { return state.came[present.which]; });
}

}  // namespace

void draw_messages(const Frame& frame, Box& box, Bars bars) {
    std::string error_text, film_text;
    std::vector<Present> found = messages_of(frame, error_text, film_text);
    sort_by_age(frame.own<ErrorBarState>(), found);
    for (const Present& present : found)
        if (draw_message_bar(frame.ui, present.message, box, bars)) present.dismiss();
}

}  // namespace glassformer::app
