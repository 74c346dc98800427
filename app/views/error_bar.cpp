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

void draw_message(const Frame& frame, ImVec2 min, ImVec2 max, const Lines& lines, float text_right) {
    const Ui& ui = frame.ui;
    const Theme& t = *ui.theme;
    draw::rounded_box(ui, min, max, t.danger_tint, t.danger, 8);
    const float pad = ui.px(12), row = std::round(ui.line(FontRole::body) * 1.22f);
    float y = min.y + std::round((max.y - min.y - row * static_cast<float>(lines.count)) / 2);
    bool cut = false;
    for (std::size_t i = 0; i < lines.count; ++i, y += row)
        cut |=
            draw::text_in(ui, {min.x + pad, y}, {text_right, y + row}, lines.line[i], {FontRole::body, t.danger_text});
    ui.items->add("error", min, max, static_cast<double>(frame.snapshot.error_number), frame.snapshot.error);
    if (cut && draw::hovered(min, {text_right, max.y})) draw::tooltip(ui, frame.snapshot.error);
}

}  // namespace

void draw_error_bar(const Frame& frame, const Box& box) {
    const Ui& ui = frame.ui;
    const Snapshot& s = frame.snapshot;
    if (s.error.empty() || s.error_number <= frame.state.dismissed_error) return;
    const float margin = ui.px(8), pad = ui.px(10), close = ui.px(28);
    const ImVec2 min = {box.min.x + margin, box.min.y + margin};
    const float right = box.max.x - margin, text_right = right - close - 2 * pad;
    const Lines lines = wrap(ui, s.error, text_right - min.x - ui.px(12));
    const float row = std::round(ui.line(FontRole::body) * 1.22f);
    const ImVec2 max = {right, min.y + std::max(close, row * static_cast<float>(lines.count)) + 2 * ui.px(6)};
    // A window of its own, so that it covers the panels and their scrolling parts.
    ImGui::SetCursorScreenPos(min);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
    ImGui::BeginChild("##error", {max.x - min.x, max.y - min.y}, false,
                      ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
    draw_message(frame, min, max, lines, text_right);
    ButtonStyle style;
    style.tone = Tone::danger;
    style.icon = static_cast<int>(draw::Icon::close);
    style.tooltip = "Dismiss";
    const float y = std::round((min.y + max.y - close) / 2);
    if (button(ui, "error/dismiss", {right - pad - close, y}, {right - pad, y + close}, "", style))
        frame.state.dismissed_error = s.error_number;
    ImGui::EndChild();
    ImGui::PopStyleVar();
}

}  // namespace glassformer::app
