#include "app/views/signed_map.h"

#include <algorithm>
#include <cmath>

namespace glassformer::app {

namespace {

constexpr float gap_from = 5;  // pixels at 100 %: smaller cells touch

/// Rows and columns that the current window shows: half open.
struct Visible {
    int row = 0, row_end = 0, column = 0, column_end = 0;
};

int clamped(float cells, int count) { return std::clamp(static_cast<int>(cells), 0, count); }

Visible visible(const SignedMap& map) {
    const ImVec2 from = ImGui::GetWindowDrawList()->GetClipRectMin(), to = ImGui::GetWindowDrawList()->GetClipRectMax();
    return {clamped((from.y - map.min.y) / map.pitch.y, map.rows),
            clamped((to.y - map.min.y) / map.pitch.y + 1, map.rows),
            clamped((from.x - map.min.x) / map.pitch.x, map.columns),
            clamped((to.x - map.min.x) / map.pitch.x + 1, map.columns)};
}

/// Behind the row and the column that the mouse is on: the gaps between their cells darken.
void light_bands(const Ui& ui, const SignedMap& map) {
    ImVec2 from, to;
    const ImU32 colour = mix(ui.theme->card, ui.theme->text, 0.35f);
    const float out = ui.px(1);
    if (map.lit_row >= 0 && map.lit_row < map.rows) {
        map.cell(ui, map.lit_row, 0, from, to);
        draw::rounded_box(ui, {map.min.x - out, from.y - out}, {map.max().x, to.y + out}, colour, 0, 2);
    }
    if (map.lit_column >= 0 && map.lit_column < map.columns) {
        map.cell(ui, 0, map.lit_column, from, to);
        draw::rounded_box(ui, {from.x - out, map.min.y - out}, {to.x + out, map.max().y}, colour, 0, 2);
    }
}

SignedMapHit under_mouse(const SignedMap& map) {
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    const int row = static_cast<int>((mouse.y - map.min.y) / map.pitch.y);
    const int column = static_cast<int>((mouse.x - map.min.x) / map.pitch.x);
    return {std::clamp(row, 0, map.rows - 1), std::clamp(column, 0, map.columns - 1), false};
}

}  // namespace

void SignedMap::cell(const Ui& ui, int row, int column, ImVec2& from, ImVec2& to) const {
    const float x = min.x + pitch.x * static_cast<float>(column), y = min.y + pitch.y * static_cast<float>(row);
    const float gap = std::min(pitch.x, pitch.y) >= gap_from * ui.scale ? ui.px(1) : 0;
    from = {std::round(x), std::round(y)};
    to = {std::max(from.x + 1, std::round(x + pitch.x) - gap), std::max(from.y + 1, std::round(y + pitch.y) - gap)};
}

SignedMapHit signed_map(const Ui& ui, std::string_view label, const SignedMap& map) {
    if (map.rows < 1 || map.columns < 1) return {};
    const Response response = click_area(ui, label, map.min, map.max());
    light_bands(ui, map);
    const float smaller = std::min(map.pitch.x, map.pitch.y);
    const float radius = smaller >= 8 * ui.scale ? std::min(3.0f * ui.scale, smaller * 0.16f) : 0;
    const Visible seen = visible(map);
    for (int row = seen.row; row < seen.row_end; ++row)
        for (int column = seen.column; column < seen.column_end; ++column) {
            ImVec2 from, to;
            map.cell(ui, row, column, from, to);
            const float value = map.value(row, column);
            ui.list()->AddRectFilled(from, to, ui.theme->signed_colour(value, map.range), radius);
            if (map.cells_are_items)
                ui.items->addf(from, to, value, "%.*s %d %d", static_cast<int>(label.size()), label.data(), row,
                               column);
        }
    if (!response.hovered && !response.clicked) return {};
    SignedMapHit hit = under_mouse(map);
    hit.clicked = response.clicked;
    return hit;
}

void light_under_mouse(SignedMap& map) {
    if (map.rows < 1 || map.columns < 1 || !draw::hovered(map.min, map.max())) return;
    const SignedMapHit hit = under_mouse(map);
    map.lit_row = hit.row, map.lit_column = hit.column;
}

void frame_cells(const Ui& ui, const SignedMap& map, int row, int column, int rows, int columns) {
    ImVec2 from, to, unused;
    map.cell(ui, row, column, from, unused);
    map.cell(ui, row + rows - 1, column + columns - 1, unused, to);
    const float out = ui.px(2);
    draw::selection_frame(ui, {from.x - out, from.y - out}, {to.x + out, to.y + out}, 3);
}

float largest_magnitude(const SignedMap& map) {
    float largest = 0;
    for (int row = 0; row < map.rows; ++row)
        for (int column = 0; column < map.columns; ++column) {
            const float size = std::abs(map.value(row, column));
            if (std::isfinite(size)) largest = std::max(largest, size);
        }
    return largest > 0 ? largest : 1;
}

}  // namespace glassformer::app
