#include <array>
#include <cmath>

#include "app/views/views.h"

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

/// One message with its colours; the item is `label`, its button "label/dismiss".
struct Bar {
    std::string_view text;
    const char* label;
    double value;
    Tone tone;
};

void draw_message(const Ui& ui, ImVec2 min, ImVec2 max, const Bar& bar, const Lines& lines, float text_right) {
    const Theme& t = *ui.theme;
    const bool good = bar.tone == Tone::good;
    draw::rounded_box(ui, min, max, good ? t.good_tint : t.danger_tint, good ? t.good : t.danger, 8);
    const float pad = ui.px(12), row = std::round(ui.line(FontRole::body) * 1.22f);
    float y = min.y + std::round((max.y - min.y - row * static_cast<float>(lines.count)) / 2);
    bool cut = false;
    for (std::size_t i = 0; i < lines.count; ++i, y += row)
        cut |= draw::text_in(ui, {min.x + pad, y}, {text_right, y + row}, lines.line[i],
                             {FontRole::body, good ? t.good_text : t.danger_text});
    ui.items->add(bar.label, min, max, bar.value, bar.text);
    if (cut && draw::hovered(min, {text_right, max.y})) draw::tooltip(ui, min, max, bar.text);
}

/// Draws the bar at the top of the box; returns whether it was dismissed, and moves the box's top below it.
bool draw_bar(const Ui& ui, Box& box, const Bar& bar) {
    const float margin = ui.px(8), pad = ui.px(10), close = ui.px(28);
    const ImVec2 min = {box.min.x + margin, box.min.y + margin};
    const float right = box.max.x - margin, text_right = right - close - 2 * pad;
    const Lines lines = wrap(ui, bar.text, text_right - min.x - ui.px(12));
    const float row = std::round(ui.line(FontRole::body) * 1.22f);
    const ImVec2 max = {right, min.y + std::max(close, row * static_cast<float>(lines.count)) + 2 * ui.px(6)};
    box.min.y = max.y;
    // A window of its own, so that it covers the panels and their scrolling parts.
    ImGui::SetCursorScreenPos(min);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
    ImGui::PushID(bar.label);
    ImGui::BeginChild("##message", {max.x - min.x, max.y - min.y}, false,
                      ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
    draw_message(ui, min, max, bar, lines, text_right);
    ButtonStyle style;
    style.tone = bar.tone;
    style.icon = static_cast<int>(draw::Icon::close);
    style.tooltip = "Dismiss";
    const float y = std::round((min.y + max.y - close) / 2);
    const std::string_view dismiss = ui.items->format("%s/dismiss", bar.label);
    const bool dismissed = button(ui, dismiss, {right - pad - close, y}, {right - pad, y + close}, "", style).clicked;
    ImGui::EndChild();
    ImGui::PopID();
    ImGui::PopStyleVar();
    return dismissed;
}

}  // namespace

void draw_error_bar(const Frame& frame, const Box& box) {
    const Snapshot& s = frame.snapshot;
    ViewState& state = frame.state;
    Box left = box;
    if (!s.error.empty() && s.error_number > state.dismissed_error &&
        draw_bar(frame.ui, left, {s.error, "error", static_cast<double>(s.error_number), Tone::danger}))
        state.dismissed_error = s.error_number;
    if (state.notice.text.empty()) return;
    const bool good = state.notice.good;
    if (draw_bar(frame.ui, left, {state.notice.text, "notice", good ? 1.0 : 0.0, good ? Tone::good : Tone::danger}))
        state.notice = {};
}

}  // namespace glassformer::app
