#include <algorithm>
#include <cmath>

#include "app/common/explanation.h"
#include "app/common/signed_map.h"
#include "app/language/tr.h"
#include "app/ui/plot.h"
#include "app/views/positions/positions_sections.h"
#include "core/base/number_text.h"

namespace glassformer::app::views::positions {

namespace {

void draw_axes(const Frame& frame, const Plot& plot) {
    const Ui& ui = frame.ui;
    const ImU32 faint = ui.theme->text_faint;
    const bool has_zero = plot.y.low < 0 && plot.y.high > 0;
    for (const double value : {plot.y.low, has_zero ? 0.0 : plot.y.high, plot.y.high})
        draw_y_tick(ui, plot, value, (value < 0 ? "−" : "") + significant(std::abs(value)), faint,
                    value == 0 ? faint : 0);
    const float below = plot.box.max.y + ui.px(4);
    draw::text(ui, {plot.box.min.x, below}, "0", {FontRole::small, faint});
    draw::text(ui, {plot.box.max.x, below}, ui.items->format("%.0f", plot.x.high),
               {FontRole::small, faint, draw::Align::right});
    draw::text(ui, {plot.box.middle_x(), below}, tr("distance"), {FontRole::small, faint, draw::Align::centre});
}

ImVec2 place_of(const Plot& plot, int distance, float value) { return plot.at(distance, plot.y.clamped(value)); }

void draw_curve(const Frame& frame, const Plot& plot, const DistanceCurve& curve) {
    const Ui& ui = frame.ui;
    std::vector<ImVec2> points;
    for (int d = 0; d < int_size(curve.values); ++d) {
        points.push_back(place_of(plot, d, curve.values[d]));
        ui.items->addf(Box::around(points.back(), ui.px(3)), curve.values[d], "%.*s %d", int_size(curve.item),
                       curve.item.data(), d);
    }
    if (curve.dashed) return draw_series(ui, points, {ui.theme->text_faint, 1.5f * ui.scale, true});
    const bool dots = plot.box.width() / to_float(plot.x.high) > 8 * ui.scale;
    draw_series(ui, points, {ui.theme->attention_text, 2 * ui.scale, false, dots ? 2.5f * ui.scale : 0});
}

/// Marks the distance under the mouse in this or another card's curves, with the value of the first curve.
void light_distance(const Frame& frame, const Plot& plot, const DistanceCurve& curve) {
    const Ui& ui = frame.ui;
    const int d = frame.state.own<PositionsState>().hovered.distance;
    if (d < 0 || d >= int_size(curve.values)) return;
    const float value = curve.values[d];
    const ImVec2 at = place_of(plot, d, value);
    draw::vertical_line(ui, at.x, plot.box.min.y, plot.box.max.y, ui.theme->text_faint);
    ui.list()->AddCircle(at, ui.px(5), ui.theme->selection, 0, std::max(1.0f, ui.px(2)));
    const bool right = at.x > plot.box.middle_x();
    const std::string text = shown(value);
    const float y = plot.box.min.y - ui.line(FontRole::small) / 2;
    draw::text(ui, {at.x + ui.px(right ? -5 : 5), y}, text,
               {FontRole::small_bold, ui.theme->text, right ? draw::Align::right : draw::Align::left});
    ui.items->addf(Box::around(at, ui.px(5)), value, "%.*s lit", int_size(curve.item), curve.item.data());
}

/// Shows the values at the distance under the mouse.
void read_off(const Frame& frame, const Plot& plot, std::span<const DistanceCurve> curves) {
    const Ui& ui = frame.ui;
    light_distance(frame, plot, curves.front());
    if (!draw::hovered(plot.box)) return;
    const int d = static_cast<int>(std::lround(plot.x_value(ImGui::GetIO().MousePos.x)));
    frame.state.own<PositionsState>().hovering = {-1, -1, d};
    std::string text = filled(tr("{1} position apart", "{1} positions apart", d), {std::to_string(d)});
    for (const DistanceCurve& curve : curves)
        if (d < int_size(curve.values)) text += "\n" + std::string(curve.name) + ": " + shown(curve.values[d]);
    draw::tooltip(ui, text);
}

}  // namespace

void draw_distance_curves(const Frame& frame, std::span<const DistanceCurve> curves, double low, double high,
                          std::string_view title, const Box& box) {
    const Ui& ui = frame.ui;
    const float line = ui.line(FontRole::small);
    draw::text_in(ui, box.top(line), title, {FontRole::small_bold});
    const std::string longest = "−" + significant(std::max(std::abs(low), std::abs(high)));
    std::size_t most = 1;
    for (const DistanceCurve& curve : curves) most = std::max(most, curve.values.size() - 1);
    const Plot plot{
        {{box.min.x + draw::text_size(ui, longest, FontRole::small).x + ui.px(6), box.min.y + line + ui.px(9)},
         {box.max.x - ui.px(4), box.max.y - line - ui.px(6)}},
        {0, static_cast<double>(most)},
        {low, high}};
    draw_axes(frame, plot);
    for (const DistanceCurve& curve : curves) draw_curve(frame, plot, curve);
    read_off(frame, plot, curves);
}

float draw_similarity_matrix(const Frame& frame, const PositionCode& code, const CodeName& name, const Box& box) {
    const Ui& ui = frame.ui;
    const float line = ui.line(FontRole::small);
    draw::text_in(ui, box.top(line), name.title, {FontRole::small_bold});
    const float number = draw::text_size(ui, "00", FontRole::small).x + ui.px(5);
    SignedMap map;
    map.rows = map.columns = code.positions, map.stride = code.positions, map.values = code.similarity;
    map.key = {name.owner, 1, 0};
    map.min = {std::floor(box.min.x + number), std::floor(box.min.y + line + ui.px(5))};
    const float cell = (box.max.x - ui.px(2) - map.min.x) / to_float(code.positions);
    map.pitch = {std::min(cell, ui.px(18)), std::min(cell, ui.px(18))};
    light_under_mouse(map);
    const PositionPlace& hovered = frame.state.own<PositionsState>().hovered;
    if (map.lit_row < 0 && hovered.first < map.rows && hovered.second < map.columns)
        map.lit_row = hovered.first, map.lit_column = hovered.second;
    const CellHit hit = signed_map(ui, name.item, map);
    if (hovered.first >= 0 && map.lit_row == hovered.first && map.lit_column == hovered.second) {
        frame_cells(ui, map, hovered.first, hovered.second, 1, 1);
        ui.items->addf({map.min, map.max()}, map.value(hovered.first, hovered.second), "%.*s lit", int_size(name.item),
                       name.item.data());
    }
    if (hit.row >= 0) frame.state.own<PositionsState>().hovering = {hit.row, hit.column, -1};
    if (hit.row >= 0)
        draw::tooltip(ui, ui.items->format(tr("positions %d and %d: %s\nThe cosine of the angle between their vectors"),
                                           hit.row, hit.column, precise(map.value(hit.row, hit.column)).c_str()));
    const draw::TextStyle right{FontRole::small, ui.theme->text_faint, draw::Align::right};
    const std::string_view last = ui.items->format("%d", code.positions - 1);
    draw::text(ui, {map.min.x - ui.px(4), map.min.y}, "0", right);
    if (code.positions > 1) {
        draw::text(ui, {map.min.x - ui.px(4), map.max().y - line}, last, right);
        draw::text(ui, {map.max().x, map.max().y + ui.px(2)}, last, right);
    }
    draw::text(ui, {map.min.x, map.max().y + ui.px(2)}, tr("position"), {FontRole::small, ui.theme->text_faint});
    return map.max().y + line + ui.px(6);
}

}  // namespace glassformer::app::views::positions
