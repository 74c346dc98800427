#include "app/panels/messages/error_bar.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "app/common/message_bar.h"
#include "app/common/notice.h"
#include "app/language/tr.h"
#include "app/panels/panels.h"
#include "app/panels/timeline/timeline_state.h"

namespace glassformer::app {

namespace {

constexpr std::size_t most_lines = 3;

/// The message in at most three lines; the last one holds all that is left, to be cut with an ellipsis.
struct Lines {
    std::array<std::string_view, most_lines> line;
    std::size_t count = 0;
};

Lines wrap(const Ui& ui, std::string_view text, float width) {
    Lines lines;
    const ImFont& font = *(*ui.fonts)[FontRole::body];
    while (!text.empty() && lines.count < most_lines) {
        const std::string_view row = text.substr(0, text.find('\n'));
        const char* to = font.CalcWordWrapPositionA(1, row.data(), row.data() + row.size(), width);
        auto length = static_cast<std::size_t>(to - row.data());
        if (length == 0 && !row.empty()) length = 1;
        if (lines.count + 1 == most_lines) length = row.size();
        lines.line[lines.count++] = text.substr(0, length);
        text.remove_prefix(length);
        while (!text.empty() && (text.front() == ' ' || text.front() == '\n')) text.remove_prefix(1);
    }
    return lines;
}

void draw_message(const Ui& ui, const Message& message, ImVec2 min, ImVec2 max, const Lines& lines, float text_right) {
    const Theme& t = *ui.theme;
    const bool good = message.tone == Tone::good;
    draw::rounded_box(ui, min, max, good ? t.good_tint : t.danger_tint, good ? t.good : t.danger, 8);
    const float pad = ui.px(12), row = std::round(ui.line(FontRole::body) * 1.22f);
    float y = min.y + std::round((max.y - min.y - row * static_cast<float>(lines.count)) / 2);
    bool cut = false;
    for (std::size_t i = 0; i < lines.count; ++i, y += row)
        cut |= draw::text_in(ui, {min.x + pad, y}, {text_right, y + row}, lines.line[i],
                             {FontRole::body, good ? t.good_text : t.danger_text});
    ui.items->add(message.label, min, max, message.number, message.text);
    if (cut && draw::hovered(min, {text_right, max.y})) draw::tooltip(ui, min, max, message.text);
}

}  // namespace

bool draw_message_bar(const Ui& ui, const Message& message, Box& box) {
    const float margin = ui.px(8), pad = ui.px(10), close = ui.px(28);
    const ImVec2 min = {box.min.x + margin, box.min.y + margin};
    const float right = box.max.x - margin, text_right = right - close - 2 * pad;
    const Lines lines = wrap(ui, message.text, text_right - min.x - ui.px(12));
    const float row = std::round(ui.line(FontRole::body) * 1.22f);
    const ImVec2 max = {right, min.y + std::max(close, row * static_cast<float>(lines.count)) + 2 * ui.px(6)};
    box.min.y = max.y;
    // A window of its own, so that it covers the panels and their scrolling parts.
    ImGui::SetCursorScreenPos(min);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
    ImGui::PushID(message.label);
    ImGui::BeginChild("##message", {max.x - min.x, max.y - min.y}, false,
                      ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
    draw_message(ui, message, min, max, lines, text_right);
    ButtonStyle style;
    style.tone = message.tone;
    style.icon = static_cast<int>(draw::Icon::close);
    style.tooltip = tr("Dismiss");
    const float y = std::round((min.y + max.y - close) / 2);
    const std::string_view dismiss = ui.items->format("%s/dismiss", message.label);
    const bool dismissed = button(ui, dismiss, {right - pad - close, y}, {right - pad, y + close}, "", style).clicked;
    ImGui::EndChild();
    ImGui::PopID();
    ImGui::PopStyleVar();
    return dismissed;
}

void draw_error_bar(const Frame& frame, const Box& box) {
    const Snapshot& s = frame.snapshot;
    ViewState& state = frame.state;
    Box left = box;
    if (!s.error.empty() && s.error_number > state.own<ErrorBarState>().dismissed &&
        draw_message_bar(frame.ui, {"error", s.error, static_cast<double>(s.error_number)}, left))
        state.own<ErrorBarState>().dismissed = s.error_number;
    FilmRecording& film = state.own<TimelineState>().recording;
    if (film.unseen) return;
    if (film.total > 0) {
        const std::string text =
            filled(tr("Picture {1} of {2} of the film · {3}"),
                   {std::to_string(std::min(film.done + 1, film.total)), std::to_string(film.total), film.folder});
        if (draw_message_bar(frame.ui, {"film/recording", text, static_cast<double>(film.done), Tone::good}, left))
            film.asked_to_stop = true;
    }
    if (state.own<Notice>().text.empty()) return;
    const bool good = state.own<Notice>().good;
    const Message notice{"notice", state.own<Notice>().text, good ? 1.0 : 0.0, good ? Tone::good : Tone::danger};
    if (draw_message_bar(frame.ui, notice, left)) state.own<Notice>() = {};
}

}  // namespace glassformer::app
