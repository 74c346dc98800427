#include "app/ui/plot.h"

#include <algorithm>
#include <cmath>

namespace glassformer::app {

double Axis::share(double value) const {
    if (high <= low) return 0.5;
    switch (spacing) {
        case Spacing::log:
            return std::log(value / low) / std::log(high / low);
        case Spacing::log1p:
            return std::log1p(std::max(value - low, 0.0)) / std::log1p(high - low);
        default:
            return (value - low) / (high - low);
    }
}

double Axis::value(double share) const {
    switch (spacing) {
        case Spacing::log:
            return low * std::exp(share * std::log(high / low));
        case Spacing::log1p:
            return low + std::expm1(share * std::log1p(high - low));
        default:
            return low + share * (high - low);
    }
}

double Plot::x_value(float screen_x) const {
    const double share = static_cast<double>((screen_x - box.min.x) / std::max(box.width(), 1.0f));
    return x.value(std::clamp(share, 0.0, 1.0));
}

double round_distance(double range, double most) {
    const double least = std::max(range, 1e-9) / std::max(most, 1.0);
    const double power = std::pow(10.0, std::floor(std::log10(least)));
    for (const double digit : {1.0, 2.0, 5.0})
        if (digit * power >= least * 0.999) return digit * power;
    return 10 * power;
}

void draw_y_tick(const Ui& ui, const Plot& plot, double value, std::string_view number, ImU32 ink, ImU32 line) {
    const float y = plot.at_y(value);
    draw::horizontal_line(ui, plot.box.min.x, plot.box.max.x, y, line);
    draw::text(ui, {plot.box.min.x - ui.px(5), y - ui.line(FontRole::small) / 2}, number,
               {FontRole::small, ink, draw::Align::right});
}

void draw_x_label(const Ui& ui, const Plot& plot, double value, std::string_view text, ImU32 ink, draw::Align align) {
    draw::text(ui, {plot.at_x(value), plot.box.max.y + ui.px(2)}, text, {FontRole::small, ink, align});
}

void draw_series(const Ui& ui, std::span<const ImVec2> points, const SeriesStyle& style) {
    if (style.dashed)
        draw::dashed_line(ui, points, style.colour, style.thickness);
    else
        draw::line(ui, points, style.colour, style.thickness);
    if (style.dot <= 0) return;
    for (const ImVec2& point : points) ui.list()->AddCircleFilled(point, style.dot, style.colour);
}

void draw_plot_dot(const Ui& ui, ImVec2 at, ImU32 colour) {
    ui.list()->AddCircleFilled(at, ui.px(4), ui.theme->card);
    ui.list()->AddCircleFilled(at, ui.px(3), colour);
}

}  // namespace glassformer::app
