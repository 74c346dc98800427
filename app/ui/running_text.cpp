#include "app/ui/running_text.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "app/ui/controls.h"
#include "app/ui/input.h"

namespace glassformer::app {

namespace {

struct Lines {
    std::string_view text;
    std::vector<std::string_view> line;
    ImVec2 at;
    float height;
    FontRole font;

    std::size_t begin(std::size_t i) const { return static_cast<std::size_t>(line[i].data() - text.data()); }
    std::size_t end(std::size_t i) const { return begin(i) + line[i].size(); }
};

std::size_t after_code_point(std::string_view text, std::size_t at) {
    ++at;
    while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0u) == 0x80u) ++at;
    return at;
}

/// The place between two letters that is nearest to the mouse.
std::size_t place_at(const Ui& ui, const Lines& lines, ImVec2 mouse) {
    if (lines.line.empty()) return 0;
    const float row = std::floor((mouse.y - lines.at.y) / lines.height);
    const auto last = static_cast<float>(lines.line.size() - 1);
    const auto i = static_cast<std::size_t>(std::clamp(row, 0.0f, last));
    const std::string_view line = lines.line[i];
    float left = lines.at.x;
    for (std::size_t at = 0; at < line.size();) {
        const std::size_t next = after_code_point(line, at);
        const float width = draw::text_size(ui, line.substr(at, next - at), lines.font).x;
        if (mouse.x < left + width / 2) return lines.begin(i) + at;
        left += width;
        at = next;
    }
    return lines.end(i);
}

void draw_selected(const Ui& ui, const Lines& lines, const TextSelection& selection) {
    const std::size_t from = std::min(selection.from, selection.to), to = std::max(selection.from, selection.to);
    for (std::size_t i = 0; i < lines.line.size(); ++i) {
        const std::size_t begin = std::clamp(from, lines.begin(i), lines.end(i)),
                          end = std::clamp(to, lines.begin(i), lines.end(i));
        if (begin >= end) continue;
        const auto x = [&](std::size_t place) {
            return lines.at.x + draw::text_size(ui, lines.line[i].substr(0, place - lines.begin(i)), lines.font).x;
        };
        const float y = lines.at.y + lines.height * static_cast<float>(i);
        ui.list()->AddRectFilled({x(begin), y}, {x(end), y + lines.height}, ui.theme->selection_tint);
    }
}

}  // namespace

std::string_view TextSelection::of(std::string_view text) const {
    const std::size_t first = std::min({from, to, text.size()}), last = std::min(std::max(from, to), text.size());
    return first == last ? text : text.substr(first, last - first);
}

float running_text(const Ui& ui, std::string_view label, ImVec2 at, float width, std::string_view text,
                   TextSelection& selection, const draw::TextStyle& style) {
    const Lines lines{text, draw::wrapped_lines(ui, text, width, style.font), at,
                      std::round(ui.line(style.font) * 1.22f), style.font};
    const float height = lines.height * static_cast<float>(std::max<std::size_t>(1, lines.line.size()));
    selection.from = std::min(selection.from, text.size()), selection.to = std::min(selection.to, text.size());
    const Response mouse = click_area(ui, label, at, {at.x + width, at.y + height}, std::nullopt, text);
    if (mouse.hovered || mouse.held) ImGui::SetMouseCursor(ImGuiMouseCursor_TextInput);
    if (mouse.double_clicked)
        selection = {0, text.size()};
    else if (mouse.held)
        selection.to = place_at(ui, lines, ImGui::GetIO().MousePos);
    if (mouse.held && ImGui::IsMouseClicked(0)) selection.from = selection.to;
    draw_selected(ui, lines, selection);
    if (selection.from != selection.to && ctrl_down() && key_pressed(Key::c) && keys_are_commands())
        ImGui::SetClipboardText(std::string(selection.of(text)).c_str());
    draw::text_wrapped(ui, at, width, text, style);
    return height;
}

}  // namespace glassformer::app
