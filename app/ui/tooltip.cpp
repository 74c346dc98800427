#include <algorithm>
#include <cmath>

#include "app/ui/draw.h"
#include "app/ui/running_text.h"
#include "app/ui/text_caret.h"

namespace glassformer::app::draw {

namespace {

constexpr float text_width = 380, pad_x = 10, pad_y = 8, row_gap = 4;  // pixels at 100 %
constexpr float widest_anchor = 420, highest_anchor = 120;             // for larger items the mouse is the anchor
constexpr float anchor_gap = 5, screen_edge = 6, rest_seconds = 0.4f;
const ImVec2 nowhere{-1e6f, -1e6f};

/// Calls `row(text, first, heading)` for each line; the first is a heading if others follow.
template <typename Row>
void each_row(std::string_view text, const Row& row) {
    for (bool first = true; !text.empty(); first = false) {
        const size_t cut = text.find('\n');
        const std::string_view line = text.substr(0, cut);
        text = cut == std::string_view::npos ? std::string_view() : text.substr(cut + 1);
        row(line, first, first && !text.empty());
    }
}

FontRole font_of(bool heading) { return heading ? FontRole::small_bold : FontRole::small; }

ImVec2 size_of(const Ui& ui, std::string_view text) {
    ImVec2 size{0, 0};
    int rows = 0;
    each_row(text, [&](std::string_view line, bool, bool heading) {
        const FontRole font = font_of(heading);
        const std::vector<std::string_view> parts = wrapped_lines(ui, line, ui.px(text_width), font);
        for (const std::string_view part : parts) size.x = std::max(size.x, text_size(ui, part, font).x);
        size.y += ui.line(font) * static_cast<float>(std::max<std::size_t>(parts.size(), 1));
        ++rows;
    });
    return {std::ceil(size.x) + 2 * ui.px(pad_x) + 1,
            std::ceil(size.y) + 2 * ui.px(pad_y) + ui.px(row_gap) * static_cast<float>(std::max(rows - 1, 0))};
}

/// The smallest item under the mouse, or the pointer itself if that is a whole panel.
Box anchor_at_mouse(const Ui& ui) {
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    Box found{{mouse.x - ui.px(6), mouse.y - ui.px(6)}, {mouse.x + ui.px(14), mouse.y + ui.px(20)}};
    float least = ui.px(widest_anchor) * ui.px(highest_anchor);
    for (const Item& item : ui.items->all()) {
        const ImVec2 size = item.size();
        if (!item.contains(mouse) || size.x > ui.px(widest_anchor) || size.y > ui.px(highest_anchor) ||
            size.x * size.y >= least)
            continue;
        least = size.x * size.y;
        found = item;
    }
    return found;
}

}  // namespace

ImVec2 beside(ImVec2 size, const Box& box, ImVec2 screen, float gap, float edge) {
    const auto along = [edge](float wanted, float length, float room) {
        return std::max(edge, std::min(wanted, room - edge - length));
    };
    const float x = along(box.min.x, size.x, screen.x), y = along(box.min.y, size.y, screen.y);
    if (box.max.y + gap + size.y <= screen.y - edge) return {x, box.max.y + gap};
    if (box.min.y - gap - size.y >= edge) return {x, box.min.y - gap - size.y};
    if (box.max.x + gap + size.x <= screen.x - edge) return {box.max.x + gap, y};
    if (box.min.x - gap - size.x >= edge) return {box.min.x - gap - size.x, y};
    return {x, std::max(edge, screen.y - edge - size.y)};  // no room on any side: at least keep it on screen
}

void tooltip(const Ui& ui, const Box& box, std::string_view text) {
    if (text.empty() || ui.focus->pointer_rests(false) || ui.items->find("tooltip")) return;  // one at a time
    const ImVec2 size = size_of(ui, text);
    const ImVec2 at = beside(size, box, ImGui::GetIO().DisplaySize, ui.px(anchor_gap), ui.px(screen_edge));
    ui.items->add("tooltip", {at, {at.x + size.x, at.y + size.y}}, std::nullopt, text);
    ui.items->add("tooltip/anchor", box);
    ui.items->drew(text, nowhere);  // the item has its position
    ImGui::SetNextWindowPos(at);
    ImGui::SetNextWindowSize(size);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 6 * ui.scale);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(ui.px(pad_x), ui.px(pad_y)));
    ImGui::BeginTooltip();
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    float y = corner.y;
    each_row(text, [&](std::string_view line, bool first, bool heading) {
        const FontRole font = font_of(heading);
        for (const std::string_view part : wrapped_lines(ui, line, ui.px(text_width), font)) {
            typed_text(ui, {corner.x, y}, part, {font, first ? ui.theme->text : ui.theme->text_muted});
            y += ui.line(font);
        }
        if (line.empty()) y += ui.line(font);
        y += ui.px(row_gap);
    });
    ImGui::EndTooltip();
    ImGui::PopStyleVar(2);
}

void tooltip(const Ui& ui, std::string_view text) { tooltip(ui, anchor_at_mouse(ui), text); }

// ImGui's storage keeps how long the mouse has been on a box, under the box's position, with the current window.
void tip(const Ui& ui, const Box& box, std::string_view text) {
    ImGuiStorage* storage = ImGui::GetStateStorage();
    ImGui::PushID(static_cast<int>(box.min.x) * 16384 + static_cast<int>(box.min.y));
    const ImGuiID since = ImGui::GetID("##tip since"), seen = ImGui::GetID("##tip seen");
    ImGui::PopID();
    if (ui.focus->pointer_rests(true)) return ui.items->drew(text, nowhere);
    const int frame = ImGui::GetFrameCount();
    const float now = static_cast<float>(ImGui::GetTime());
    if (frame - storage->GetInt(seen, -9) > 1) storage->SetFloat(since, now);
    storage->SetInt(seen, frame);
    if (now - storage->GetFloat(since) >= rest_seconds) return tooltip(ui, box, text);
    ui.items->drew(text, nowhere);
    ui.items->add("tooltip/waiting", box);  // keeps the window redrawing until the tip appears
}

}  // namespace glassformer::app::draw
