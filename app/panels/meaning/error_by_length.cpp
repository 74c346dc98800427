#include "app/panels/meaning/error_by_length.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "app/language/tr.h"
#include "app/ui/plot.h"
#include "core/base/number_text.h"

namespace glassformer::app {

namespace {

constexpr float plot_height = 118, gap = 8;  // pixels at 100 %
constexpr double least = 1e-4, most = 2;     // of the scale: smaller values are drawn at its bottom
constexpr std::string_view at_pair = ", pair ";

ImU32 colour_of(const Theme& t, std::size_t curve) {
    const std::array colours = {t.attention, t.value, t.mlp, t.residual};
    return colours[curve % colours.size()];
}

/// Returns the bottom of the legend.
float draw_error_legend(const Ui& ui, const std::vector<ErrorCurve>& curves, const Box& box) {
    const float line = ui.line(FontRole::small), width = box.width() / 2;
    for (std::size_t c = 0; c < curves.size(); ++c) {
        const ImVec2 at{box.min.x + width * to_float(c % 2), box.min.y + line * to_float(c / 2)};
        ui.list()->AddRectFilled({at.x, at.y + line / 2 - ui.px(2)}, {at.x + ui.px(12), at.y + line / 2 + ui.px(1)},
                                 colour_of(*ui.theme, c));
        draw::text_in(ui, {{at.x + ui.px(18), at.y}, {at.x + width, at.y + line}}, tr(curves[c].name),
                      {FontRole::small});
        ui.items->addf({at, {at.x + width, at.y + line}}, std::nullopt, "error legend/%s", curves[c].name.c_str());
    }
    return box.min.y + line * std::ceil(to_float(curves.size()) / 2);
}

}  // namespace

std::vector<ErrorCurve> error_curves(const Measurement& found) {
    std::vector<ErrorCurve> curves;
    for (const auto& [name, value] : found.details) {
        const std::size_t at = name.find(at_pair);
        if (at == std::string::npos) continue;
        const std::string method = name.substr(0, at);
        if (curves.empty() || curves.back().name != method) curves.push_back({method, {}});
        curves.back().errors.push_back(value);
    }
    return curves;
}

float wanted_for_errors(const Frame& frame) {
    if (!frame.snapshot.measured) return 0;
    const std::vector<ErrorCurve> curves = error_curves(frame.snapshot.measured->found);
    const float heading = frame.ui.line(FontRole::body_bold) + 2 * frame.ui.line(FontRole::small) + frame.ui.px(44);
    return curves.empty() ? 0 : heading + error_plot_height(frame.ui, curves.size());
}

float error_plot_height(const Ui& ui, std::size_t curves) {
    const float rows = std::ceil(to_float(curves) / 2);
    return ui.px(plot_height) + (rows + 2) * ui.line(FontRole::small) + ui.px(2 * gap);
}

void draw_error_plot(const Ui& ui, const std::vector<ErrorCurve>& curves, const Box& box) {
    const Theme& t = *ui.theme;
    const float line = ui.line(FontRole::small), labels = draw::text_size(ui, "0.001", FontRole::small).x + ui.px(6);
    // The legend is above the curves: below them, it might be scrolled out of sight.
    const float legend = draw_error_legend(ui, curves, box) + ui.px(4);
    const std::size_t pairs = curves.front().errors.size();
    const Plot plot{
        {{box.min.x + labels, legend + line / 2}, {box.max.x - ui.px(6), box.min.y + line / 2 + ui.px(plot_height)}},
        {1, static_cast<double>(std::max<std::size_t>(2, pairs))},
        {least, most, Axis::Spacing::log}};
    for (const double error : {1.0, 0.1, 0.01, 0.001, 0.0001})
        draw_y_tick(ui, plot, error, error > least ? significant(error) : "0", t.text_muted);
    for (std::size_t pair = 1; pair <= pairs; ++pair)
        draw_x_label(ui, plot, static_cast<double>(pair), ui.items->format("%zu", pair), t.text_muted);
    draw::text_in(ui, plot.box.between_y(plot.box.max.y + line, plot.box.max.y + 2 * line),
                  tr("pair (predicted before its value is read)"), {FontRole::small, t.text_muted});
    for (std::size_t c = curves.size(); c-- > 0;) {  // the model's curve on top
        const ErrorCurve& curve = curves[c];
        const float dot = ui.px(3), edge = ui.px(5);  // includes the dots at its ends
        std::vector<ImVec2> points;
        for (const double error : curve.errors)
            points.push_back(plot.at(static_cast<double>(points.size() + 1), plot.y.clamped(error)));
        draw_series(ui, points, {.colour = colour_of(t, c), .thickness = ui.px(2), .dot = dot});
        if (!points.empty())
            ui.items->add(ui.items->format("error/curve %s", curve.name.c_str()), plot.box.inset(-edge),
                          curve.errors.back(), tr(curve.name));
        for (std::size_t i = 0; i < points.size(); ++i) {
            ui.items->addf(Box::around(points[i], dot), curve.errors[i], "error/%s %zu", curve.name.c_str(), i + 1);
            if (draw::hovered(Box::around(points[i], 2 * dot)))
                draw::tooltip(ui, filled(tr("{1}\npair {2}: {3}"),
                                         {tr(curve.name), std::to_string(i + 1), significant(curve.errors[i])}));
        }
    }
}

}  // namespace glassformer::app
