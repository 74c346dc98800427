#include "app/views/heat_map.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace glassformer::app {

namespace {

float radians(float degrees) { return degrees * std::numbers::pi_v<float> / 180; }

/// Behind the row and the column that the mouse is on: the gaps between their cells darken.
void light_bands(const Ui& ui, const HeatMap& map) {
    ImVec2 from, to, end;
    const ImU32 colour = mix(ui.theme->card, ui.theme->text, 0.35f);
    if (map.lit_row >= 0 && map.lit_row < map.rows) {
        map.cell(ui, map.lit_row, 0, from, to);
        draw::rounded_box(ui, {map.min.x - ui.px(1), from.y - ui.px(1)}, {map.max().x, to.y + ui.px(1)}, colour, 0, 3);
    }
    if (map.lit_column >= 0 && map.lit_column < map.columns) {
        map.cell(ui, 0, map.lit_column, from, to);
        draw::rounded_box(ui, {from.x - ui.px(1), map.min.y - ui.px(1)}, {to.x + ui.px(1), map.max().y}, colour, 0, 3);
    }
}

}  // namespace

void HeatMap::cell(const Ui& ui, int row, int column, ImVec2& from, ImVec2& to) const {
    const float gap = ui.px(1);
    const float x = min.x + pitch.x * static_cast<float>(column), y = min.y + pitch.y * static_cast<float>(row);
    from = {std::round(x), std::round(y)};
    to = {std::round(x + pitch.x) - gap, std::round(y + pitch.y) - gap};
}

HeatMapHit heat_map(const Ui& ui, std::string_view label, const HeatMap& map) {
    const Response response = click_area(ui, label, map.min, map.max());
    light_bands(ui, map);
    const float radius = std::min(3.0f * ui.scale, std::min(map.pitch.x, map.pitch.y) * 0.16f);
    for (int row = 0; row < map.rows; ++row) {
        for (int column = 0; column < map.columns; ++column) {
            ImVec2 from, to;
            map.cell(ui, row, column, from, to);
            if (row == map.hidden_row) {
                ui.list()->AddRectFilled(from, to, ui.theme->track, radius);
                if (to.x - from.x >= ui.px(8) && to.y - from.y >= ui.line(FontRole::small) * 0.8f)
                    draw::text_in(ui, from, to, "?", {FontRole::small, ui.theme->text_faint, draw::Align::centre});
                ui.items->addf(from, to, std::nullopt, "%.*s %d %d", static_cast<int>(label.size()), label.data(), row,
                               column);
                continue;
            }
            const float value = map.values[static_cast<std::size_t>(row * map.columns + column)];
            ui.list()->AddRectFilled(from, to, ui.theme->attention_colour(value), radius);
            ui.items->addf(from, to, value, "%.*s %d %d", static_cast<int>(label.size()), label.data(), row, column);
        }
    }
    if (!response.hovered && !response.clicked) return {};
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    const int row = static_cast<int>((mouse.y - map.min.y) / map.pitch.y);
    const int column = static_cast<int>((mouse.x - map.min.x) / map.pitch.x);
    return {std::clamp(row, 0, map.rows - 1), std::clamp(column, 0, map.columns - 1), response.clicked};
}

float ColumnLabels::degrees(const Ui& ui) const {
    // Two parallel lines of text whose starts are a pitch apart are pitch · sin(angle) apart.
    const float needed = ui.line(FontRole::small) * 0.82f / std::max(1.0f, pitch);
    return needed >= 1 ? 90.0f : std::max(45.0f, std::asin(needed) / radians(1));
}

float ColumnLabels::height(const Ui& ui, float longest) const {
    const float angle = radians(degrees(ui)), length = max_length > 0 ? std::min(longest, max_length) : longest;
    return std::ceil(length * std::sin(angle) + ui.line(FontRole::small) * 0.5f * std::cos(angle) + ui.px(5));
}

float ColumnLabels::reach(const Ui& ui, float width) const {
    const float angle = radians(degrees(ui)), length = max_length > 0 ? std::min(width, max_length) : width;
    return length * std::cos(angle) + ui.line(FontRole::small) * 0.5f * std::sin(angle);
}

void ColumnLabels::draw(const Ui& ui, ImVec2 bottom_middle, std::string_view word, const draw::TextStyle& style) const {
    draw::text_rotated(ui, {bottom_middle.x, bottom_middle.y - ui.px(5)}, degrees(ui), word, style, max_length);
}

}  // namespace glassformer::app
