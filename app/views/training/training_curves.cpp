#include <algorithm>
#include <cmath>

#include "app/language/tr.h"
#include "app/ui/number_text.h"
#include "app/views/training/training_look.h"
#include "app/views/training/training_pages.h"

namespace glassformer::app::views::training {

namespace {

using Point = WeightCurve::Point;

/// One of the two: the weight's value as a line, its gradient as bars from zero.
struct Curve {
    const char* item;
    std::string_view title;
    float Point::*value;
    bool bars;
};
constexpr Curve of_value{"training/curve value", N_("The weight after each update that was shown"), &Point::value,
                         false};
constexpr Curve of_gradient{"training/curve gradient", N_("Its gradient in each of them"), &Point::gradient, true};

/// Where its numbers lie on screen.
struct Axes {
    Box box;
    double first, last, low, high;

    float x(std::int64_t step) const {
        const double along = last > first ? (static_cast<double>(step) - first) / (last - first) : 0.5;
        return box.min.x + box.width() * static_cast<float>(along);
    }
    float y(float value) const {
        return box.max.y - box.height() * static_cast<float>((static_cast<double>(value) - low) / (high - low));
    }
};

Axes axes_of(std::span<const Point> points, const Curve& curve, const Box& box) {
    const auto [least, most] = std::ranges::minmax(points, {}, curve.value);
    double low = static_cast<double>(least.*curve.value), high = static_cast<double>(most.*curve.value);
    if (curve.bars) low = std::min(low, 0.0), high = std::max(high, 0.0);
    const double margin = high > low ? 0.06 * (high - low) : std::max(std::abs(high) * 0.1, 1e-12);
    return {box, static_cast<double>(points.front().step), static_cast<double>(points.back().step), low - margin,
            high + margin};
}

void draw_ends(const Ui& ui, std::span<const Point> points, const Axes& axes, float labels) {
    const Theme& t = *ui.theme;
    const Box& box = axes.box;
    const draw::TextStyle right{FontRole::small, t.text_faint, draw::Align::right}, left{FontRole::small, t.text_faint};
    draw::rounded_box(ui, box, 0, t.card_border, 3);
    draw::text_in(ui, {{box.min.x - labels, box.min.y}, {box.min.x - ui.px(5), box.min.y + ui.line(FontRole::small)}},
                  in_short(axes.high, 4), right);
    draw::text_in(ui, {{box.min.x - labels, box.max.y - ui.line(FontRole::small)}, {box.min.x - ui.px(5), box.max.y}},
                  in_short(axes.low, 4), right);
    const float y = box.max.y + ui.px(2);
    draw::text(ui, {box.min.x, y}, filled(tr("step {1}"), {grouped(points.front().step)}), left);
    if (points.size() > 1) draw::text(ui, {box.max.x, y}, grouped(points.back().step), right);
    if (axes.low < 0.0 && axes.high > 0.0) draw::horizontal_line(ui, box.min.x, box.max.x, axes.y(0), t.grid);
}

void draw_line(const Ui& ui, std::span<const Point> points, const Axes& axes) {
    for (std::size_t i = 1; i < points.size(); ++i)
        ui.list()->AddLine({axes.x(points[i - 1].step), axes.y(points[i - 1].value)},
                           {axes.x(points[i].step), axes.y(points[i].value)}, ui.theme->text_muted,
                           std::max(1.5f, 1.6f * ui.scale));
    const ImVec2 last{axes.x(points.back().step), axes.y(points.back().value)};
    ui.list()->AddCircleFilled(last, ui.px(4), ui.theme->card);
    ui.list()->AddCircleFilled(last, ui.px(3), ui.theme->selection);
}

void draw_bars(const Ui& ui, std::span<const Point> points, const Axes& axes) {
    const float zero = axes.y(0);
    const float wide = std::clamp(axes.box.width() / static_cast<float>(points.size()) - 1, 1.0f, ui.px(6));
    for (const Point& p : points) {
        const float x = axes.x(p.step), y = axes.y(p.gradient);
        ui.list()->AddRectFilled({x - wide / 2, std::min(y, zero - 1)}, {x + wide / 2, std::max(y, zero)},
                                 p.gradient < 0 ? ui.theme->signed_negative : ui.theme->signed_positive);
    }
}

void point_at(const Ui& ui, std::span<const Point> points, const Axes& axes, const Curve& curve) {
    const float mouse = ImGui::GetIO().MousePos.x;
    const Point& near =
        *std::ranges::min_element(points, {}, [&](const Point& p) { return std::abs(axes.x(p.step) - mouse); });
    const float x = std::round(axes.x(near.step));
    draw::vertical_line(ui, x, axes.box.min.y, axes.box.max.y, ui.theme->selection);
    draw::tooltip(ui,
                  filled(tr("Update {1}\n{2}{3}"), {grouped(near.step), curve.bars ? tr("gradient ") : tr("weight "),
                                                    in_short(static_cast<double>(near.*curve.value))}));
}

void draw_curve(const Frame& frame, const Curve& curve, const Box& box) {
    const Ui& ui = frame.ui;
    const std::vector<Point>& points = frame.state.own<TrainingLook>().curve.points;
    const float line = ui.line(FontRole::small),
                labels = std::ceil(draw::text_size(ui, "−0.00000", FontRole::small).x) + ui.px(5);
    draw::text_in(ui, box.top(line), tr(curve.title), {FontRole::small, ui.theme->text_muted});
    const Box plot{{box.min.x + labels, box.min.y + line + ui.px(4)}, {box.max.x - ui.px(2), box.max.y - line}};
    const Axes axes = axes_of(points, curve, plot);
    draw_ends(ui, points, axes, labels);
    ui.list()->PushClipRect(plot.min, plot.max, true);
    if (curve.bars)
        draw_bars(ui, points, axes);
    else
        draw_line(ui, points, axes);
    ui.items->add(curve.item, plot, item_state(static_cast<double>(points.size())));
    if (draw::hovered(plot)) point_at(ui, points, axes, curve);
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
