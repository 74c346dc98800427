#include <algorithm>
#include <cmath>

#include "app/common/explanation.h"
#include "app/common/signed_map.h"
#include "app/language/tr.h"
#include "app/views/positions/positions_sections.h"
#include "core/base/number_text.h"

namespace glassformer::app::views::positions {

namespace {

/// From distance and value to the screen.
struct Axes {
    Box plot;
    int most = 1;
    double low, high;

    float x(int distance) const {
        return plot.min.x + plot.width() * static_cast<float>(distance) / static_cast<float>(most);
    }
    float y(double value) const {
        return plot.max.y - plot.height() * static_cast<float>((std::clamp(value, low, high) - low) / (high - low));
    }
};

void axes(const Frame& frame, const Axes& a) {
    const Ui& ui = frame.ui;
    const draw::TextStyle right{FontRole::small, ui.theme->text_faint, draw::Align::right};
    const float half = ui.line(FontRole::small) / 2;
    const bool has_zero = a.low < 0 && a.high > 0;
    for (const double value : {a.low, has_zero ? 0.0 : a.high, a.high}) {
        draw::horizontal_line(ui, a.plot.min.x, a.plot.max.x, a.y(value), value == 0 ? ui.theme->text_faint : 0);
        draw::text(ui, {a.plot.min.x - ui.px(5), a.y(value) - half},
                   (value < 0 ? "−" : "") + significant(std::abs(value)), right);
    }
    const float below = a.plot.max.y + ui.px(4);
    draw::text(ui, {a.plot.min.x, below}, "0", {FontRole::small, ui.theme->text_faint});
    draw::text(ui, {a.plot.max.x, below}, ui.items->format("%d", a.most), right);
    draw::text(ui, {a.plot.middle_x(), below}, tr("distance"),
               {FontRole::small, ui.theme->text_faint, draw::Align::centre});
}

void draw_curve(const Frame& frame, const Axes& a, const DistanceCurve& curve) {
    const Ui& ui = frame.ui;
    const ImU32 colour = curve.dashed ? ui.theme->text_faint : ui.theme->attention_text;
    std::vector<ImVec2> points;
    for (int d = 0; d < static_cast<int>(curve.values.size()); ++d) {
        const float value = curve.values[d];
        const ImVec2 at{a.x(d), a.y(static_cast<double>(value))};
        points.push_back(at);
        ui.items->addf({{at.x - ui.px(3), at.y - ui.px(3)}, {at.x + ui.px(3), at.y + ui.px(3)}}, value, "%.*s %d",
                       static_cast<int>(curve.item.size()), curve.item.data(), d);
    }
    if (curve.dashed)
        draw::dashed_line(ui, points, colour, 1.5f * ui.scale);
    else
        draw::line(ui, points, colour, 2 * ui.scale);
    if (!curve.dashed && a.plot.width() / static_cast<float>(a.most) > 8 * ui.scale)
        for (const ImVec2& point : points) ui.list()->AddCircleFilled(point, 2.5f * ui.scale, colour);
}

/// The distance that is under the mouse in this or another card's curves, with the value of the first.
void light_distance(const Frame& frame, const Axes& a, const DistanceCurve& curve) {
    const Ui& ui = frame.ui;
    const int d = frame.state.own<PositionsState>().hovered.distance;
    if (d < 0 || d >= static_cast<int>(curve.values.size())) return;
    const float value = curve.values[d];
    const ImVec2 at{a.x(d), a.y(static_cast<double>(value))};
    draw::vertical_line(ui, at.x, a.plot.min.y, a.plot.max.y, ui.theme->text_faint);
    ui.list()->AddCircle(at, ui.px(5), ui.theme->selection, 0, std::max(1.0f, ui.px(2)));
    const bool right = at.x > a.plot.middle_x();
    const std::string text = shown(static_cast<double>(value));
    const float y = a.plot.min.y - ui.line(FontRole::small) / 2;
    draw::text(ui, {at.x + ui.px(right ? -5 : 5), y}, text,
               {FontRole::small_bold, ui.theme->text, right ? draw::Align::right : draw::Align::left});
    ui.items->addf({{at.x - ui.px(5), at.y - ui.px(5)}, {at.x + ui.px(5), at.y + ui.px(5)}}, value, "%.*s lit",
                   static_cast<int>(curve.item.size()), curve.item.data());
}

/// The values at the distance under the mouse.
void read_off(const Frame& frame, const Axes& a, std::span<const DistanceCurve> curves) {
    const Ui& ui = frame.ui;
    light_distance(frame, a, curves.front());
    if (!draw::hovered(a.plot)) return;
    const float along = (ImGui::GetIO().MousePos.x - a.plot.min.x) / std::max(1.0f, a.plot.width());
    const int d = std::clamp(static_cast<int>(std::lround(along * static_cast<float>(a.most))), 0, a.most);
    frame.state.own<PositionsState>().hovering = {-1, -1, d};
    std::string text = filled(tr("{1} position apart", "{1} positions apart", d), {std::to_string(d)});
    for (const DistanceCurve& curve : curves)
        if (d < static_cast<int>(curve.values.size()))
            text += "\n" + std::string(curve.name) + ": " + shown(static_cast<double>(curve.values[d]));
    draw::tooltip(ui, text);
}

}  // namespace

void draw_distance_curves(const Frame& frame, std::span<const DistanceCurve> curves, double low, double high,
                          std::string_view title, const Box& box) {
    const Ui& ui = frame.ui;
    const float line = ui.line(FontRole::small);
    draw::text_in(ui, box.top(line), title, {FontRole::small_bold});
    const std::string longest = "−" + significant(std::max(std::abs(low), std::abs(high)));
    Axes a{{{box.min.x + draw::text_size(ui, longest, FontRole::small).x + ui.px(6), box.min.y + line + ui.px(9)},
            {box.max.x - ui.px(4), box.max.y - line - ui.px(6)}},
           1,
           low,
           high};
    for (const DistanceCurve& curve : curves) a.most = std::max(a.most, static_cast<int>(curve.values.size()) - 1);
    axes(frame, a);
    for (const DistanceCurve& curve : curves) draw_curve(frame, a, curve);
    read_off(frame, a, curves);
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
    const float cell = (box.max.x - ui.px(2) - map.min.x) / static_cast<float>(code.positions);
    map.pitch = {std::min(cell, ui.px(18)), std::min(cell, ui.px(18))};
    light_under_mouse(map);
    const PositionPlace& hovered = frame.state.own<PositionsState>().hovered;
    if (map.lit_row < 0 && hovered.first < map.rows && hovered.second < map.columns)
        map.lit_row = hovered.first, map.lit_column = hovered.second;
    const CellHit hit = signed_map(ui, name.item, map);
    if (hovered.first >= 0 && map.lit_row == hovered.first && map.lit_column == hovered.second) {
        frame_cells(ui, map, hovered.first, hovered.second, 1, 1);
        ui.items->addf({map.min, map.max()}, map.value(hovered.first, hovered.second), "%.*s lit",
                       static_cast<int>(name.item.size()), name.item.data());
    }
    if (hit.row >= 0) frame.state.own<PositionsState>().hovering = {hit.row, hit.column, -1};
    if (hit.row >= 0)
        draw::tooltip(
            ui, ui.items->format(tr("positions %d and %d: %s\nThe cosine of the angle between their vectors"), hit.row,
                                 hit.column, precise(static_cast<double>(map.value(hit.row, hit.column))).c_str()));
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
