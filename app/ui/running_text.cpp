#include "app/ui/running_text.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "app/ui/controls.h"
#include "app/ui/glyphs/text_direction.h"
#include "app/ui/glyphs/text_line.h"
#include "app/ui/input.h"
#include "app/ui/text_caret.h"

namespace glassformer::app {

namespace {

struct Lines {
    std::string_view text;
    std::vector<std::string_view> line;
    ImVec2 at;
    float width, height;
    FontRole font;
    bool to_the_right;  // the alignment that text_wrapped() uses

    std::size_t begin(std::size_t i) const { return static_cast<std::size_t>(line[i].data() - text.data()); }
    std::size_t end(std::size_t i) const { return begin(i) + line[i].size(); }
    float left(const Ui& ui, std::size_t i) const {
        return to_the_right ? at.x + width - draw::text_size(ui, line[i], font).x : at.x;
    }
};

/// The position between two letters nearest to the mouse.
std::size_t place_at(const Ui& ui, const Lines& lines, ImVec2 mouse) {
    if (lines.line.empty()) return 0;
    const float row = std::floor((mouse.y - lines.at.y) / lines.height);
    const auto last = static_cast<float>(lines.line.size() - 1);
    const auto i = static_cast<std::size_t>(std::clamp(row, 0.0f, last));
    return lines.begin(i) + draw::caret_at(ui, lines.line[i], mouse.x - lines.left(ui, i), lines.font);
}

void draw_selected(const Ui& ui, const Lines& lines, const TextSelection& selection) {
    const std::size_t from = std::min(selection.from, selection.to), to = std::max(selection.from, selection.to);
    for (std::size_t i = 0; i < lines.line.size(); ++i) {
        const std::size_t begin = std::clamp(from, lines.begin(i), lines.end(i)),
                          end = std::clamp(to, lines.begin(i), lines.end(i));
        if (begin >= end) continue;
        const float y = lines.at.y + lines.height * static_cast<float>(i), left = lines.left(ui, i);
        for (const draw::Stretch& stretch :
             draw::covered(ui, lines.line[i], begin - lines.begin(i), end - lines.begin(i), lines.font))
            ui.list()->AddRectFilled({left + stretch.left, y}, {left + stretch.right, y + lines.height},
                                     ui.theme->selection_tint);
    }
}

}  // namespace

std::string_view TextSelection::of(std::string_view text) const {
    const std::size_t first = std::min({from, to, text.size()}), last = std::min(std::max(from, to), text.size());
    return first == last ? text : text.substr(first, last - first);
}

float running_text(const Ui& ui, std::string_view label, ImVec2 at, float width, std::string_view text,
                   TextSelection& selection, const draw::TextStyle& style) {
    const Lines lines{text,
                      draw::wrapped_lines(ui, text, width, style.font),
                      at,
                      width,
                      std::round(ui.line(style.font) * 1.22f),
                      style.font,
                      runs_right_to_left(text)};
    const float height = lines.height * static_cast<float>(std::max<std::size_t>(1, lines.line.size()));
    selection.from = std::min(selection.from, text.size()), selection.to = std::min(selection.to, text.size());
    const Response mouse = click_area(ui, label, {at, {at.x + width, at.y + height}}, std::nullopt, text);
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
