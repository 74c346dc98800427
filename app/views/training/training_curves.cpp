#include <algorithm>
#include <cmath>

#include "app/language/tr.h"
#include "app/ui/plot.h"
#include "app/views/training/training_pages.h"
#include "app/views/training/training_view.h"
#include "core/base/number_text.h"

namespace glassformer::app::views::training {

namespace {

using Point = WeightCurve::Point;

/// One of the two curves: the weight's value as a line, or its gradient as bars from zero.
struct Curve {
    const char* item;
    std::string_view title;
    float Point::*value;
    bool bars;
};
constexpr Curve of_value{"training/curve value", N_("The weight after each update that was shown"), &Point::value,
                         false};
constexpr Curve of_gradient{"training/curve gradient", N_("Its gradient in each of them"), &Point::gradient, true};

Plot plot_of(std::span<const Point> points, const Curve& curve, const Box& box) {
    const auto [least, most] = std::ranges::minmax(points, {}, curve.value);
    double low = least.*curve.value, high = static_cast<double>(most.*curve.value);
    if (curve.bars) low = std::min(low, 0.0), high = std::max(high, 0.0);
    const double margin = high > low ? 0.06 * (high - low) : std::max(std::abs(high) * 0.1, 1e-12);
    return {box,
            {static_cast<double>(points.front().step), static_cast<double>(points.back().step)},
            {low - margin, high + margin}};
}

ImVec2 place_of(const Plot& plot, const Point& point, const Curve& curve) {
    return plot.at(point.step, point.*curve.value);
}

void draw_ends(const Ui& ui, std::span<const Point> points, const Plot& plot, float labels) {
    const Theme& t = *ui.theme;
    const Box& box = plot.box;
    const draw::TextStyle right{FontRole::small, t.text_faint, draw::Align::right}, left{FontRole::small, t.text_faint};
    draw::rounded_box(ui, box, 0, t.card_border, 3);
    draw::text_in(ui, {{box.min.x - labels, box.min.y}, {box.min.x - ui.px(5), box.min.y + ui.line(FontRole::small)}},
                  in_short(plot.y.high, 4), right);
    draw::text_in(ui, {{box.min.x - labels, box.max.y - ui.line(FontRole::small)}, {box.min.x - ui.px(5), box.max.y}},
                  in_short(plot.y.low, 4), right);
    const float y = box.max.y + ui.px(2);
    draw::text(ui, {box.min.x, y}, filled(tr("step {1}"), {grouped(points.front().step)}), left);
    if (points.size() > 1) draw::text(ui, {box.max.x, y}, grouped(points.back().step), right);
    if (plot.y.low < 0.0 && plot.y.high > 0.0) draw::horizontal_line(ui, box.min.x, box.max.x, plot.at_y(0), t.grid);
}

void draw_line(const Ui& ui, std::span<const Point> points, const Plot& plot) {
    std::vector<ImVec2> places;
    for (const Point& p : points) places.push_back(place_of(plot, p, of_value));
    for (std::size_t i = 1; i < places.size(); ++i)
        ui.list()->AddLine(places[i - 1], places[i], ui.theme->text_muted, std::max(1.5f, 1.6f * ui.scale));
    draw_plot_dot(ui, places.back(), ui.theme->selection);
}

void draw_bars(const Ui& ui, std::span<const Point> points, const Plot& plot) {
    const float zero = plot.at_y(0);
    const float wide = std::clamp(plot.box.width() / to_float(points.size()) - 1, 1.0f, ui.px(6));
    for (const Point& p : points) {
        const auto [x, y] = place_of(plot, p, of_gradient);
        ui.list()->AddRectFilled({x - wide / 2, std::min(y, zero - 1)}, {x + wide / 2, std::max(y, zero)},
                                 p.gradient < 0 ? ui.theme->signed_negative : ui.theme->signed_positive);
    }
}

void point_at(const Ui& ui, std::span<const Point> points, const Plot& plot, const Curve& curve) {
    const float mouse = ImGui::GetIO().MousePos.x;
    const Point& near = *std::ranges::min_element(
        points, {}, [&](const Point& p) { return std::abs(place_of(plot, p, curve).x - mouse); });
    const float x = std::round(place_of(plot, near, curve).x);
    draw::vertical_line(ui, x, plot.box.min.y, plot.box.max.y, ui.theme->selection);
    draw::tooltip(
        ui, filled(tr("Update {1}\n{2}{3}"),
                   {grouped(near.step), curve.bars ? tr("gradient ") : tr("weight "), in_short(near.*curve.value)}));
}

void draw_curve(const Frame& frame, const Curve& curve, const Box& box) {
    const Ui& ui = frame.ui;
    const std::vector<Point>& points = frame.state.own<TrainingLook>().curve.points;
    const float line = ui.line(FontRole::small),
                labels = std::ceil(draw::text_size(ui, "−0.00000", FontRole::small).x) + ui.px(5);
    draw::text_in(ui, box.top(line), tr(curve.title), {FontRole::small, ui.theme->text_muted});
    const Box inside{{box.min.x + labels, box.min.y + line + ui.px(4)}, {box.max.x - ui.px(2), box.max.y - line}};
    const Plot plot = plot_of(points, curve, inside);
    draw_ends(ui, points, plot, labels);
    ui.list()->PushClipRect(inside.min, inside.max, true);
    if (curve.bars)
        draw_bars(ui, points, plot);
    else
        draw_line(ui, points, plot);
    ui.items->add(curve.item, inside, item_state(points.size()));
    if (draw::hovered(inside)) point_at(ui, points, plot, curve);
    ui.list()->PopClipRect();
}

}  // namespace

void draw_weight_curves(const Frame& frame, const Box& box) {
    if (frame.state.own<TrainingLook>().curve.points.empty()) return;
    const float gap = frame.ui.px(14), half = (box.height() - gap) / 2;
    draw_curve(frame, of_value, box.top(half));
    draw_curve(frame, of_gradient, box.bottom(half));
}

}  // namespace glassformer::app::views::training
