#include "app/common/heat_map.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace glassformer::app {

namespace {

float radians(float degrees) { return degrees * std::numbers::pi_v<float> / 180; }

}  // namespace

CellHit heat_map(const Ui& ui, std::string_view label, const HeatMap& map) {
    return draw_cells(ui, label, map,
                      {.rows = map.rows,
                       .columns = map.columns,
                       .values = map.values,
                       .stride = map.columns,
                       .scores = map.scores,
                       .key = map.key});
}

float ColumnLabels::degrees(const Ui& ui) const {
    // Two parallel lines of text whose starts are a pitch apart are pitch · sin(angle) apart.
    const float needed = ui.line(FontRole::small) * 0.95f / std::max(1.0f, pitch);
    return needed >= 1 ? 90.0f : std::max(45.0f, std::asin(needed) / radians(1));
}

int ColumnLabels::every(const Ui& ui) const {
    constexpr float least_line = 0.7f;  // the letters do not touch
    return std::max(1, static_cast<int>(std::ceil(ui.line(FontRole::small) * least_line / std::max(1.0f, pitch))));
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
