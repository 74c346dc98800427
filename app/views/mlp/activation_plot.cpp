#include <algorithm>
#include <cmath>
#include <string>
#include <tuple>

#include "app/common/explanation.h"
#include "app/common/traced_value.h"
#include "app/language/tr.h"
#include "app/ui/memo.h"
#include "app/ui/plot.h"
#include "app/views/mlp/mlp_view.h"
#include "core/base/number_text.h"

namespace glassformer::app::views::mlp {

namespace {

constexpr int curve_points = 121;

/// The function that the graph applies, sampled through the op itself.
struct Curve {
    float low = 0, high = 0;
    std::array<float, curve_points> x{}, y{};
};

Curve sampled(const Op& op, float low, float high) {
    Curve curve{low, high};
    for (std::size_t i = 0; i < curve_points; ++i)
        curve.x[i] = low + (high - low) * to_float(i) / to_float(curve_points - 1);
    const ConstView input{curve.x.data(), Shape{curve_points}};
    for (std::size_t i = 0; i < curve_points; ++i)
        curve.y[i] = to_float(op.explain({std::span(&input, 1), input.shape, static_cast<std::int64_t>(i)}).value);
    return curve;
}

const Curve& curve_of(const Op& op, float low, float high) {
    static thread_local Memo<std::tuple<std::string, float, float>, Curve, 4> known;
    return known({std::string(op.name()), low, high}, [&] { return sampled(op, low, high); });
}

Plot plot_of(const Curve& curve, const Box& box) {
    const auto [least, most] = std::ranges::minmax_element(curve.y);
    const float margin = 0.08f * std::max(*most - *least, 1e-3f);
    return {box, {curve.low, curve.high}, {*least - margin, *most + margin}};
}

ImVec2 place_of(const Plot& plot, const MlpTrace& mlp, int neuron) {
    return plot.at(mlp.value(mlp.pre, neuron), mlp.value(mlp.activated(), neuron));
}

/// Its limits are whole numbers around all inputs, so that the picture stays still when numbers change a little.
const Curve& curve_for(const MlpTrace& mlp) {
    const SliceView row = mlp.row(mlp.pre);
    const auto [least, most] = std::ranges::minmax_element(row.values());
    const float low = std::isfinite(*least) ? *least : -2, high = std::isfinite(*most) ? *most : 2;
    return curve_of(mlp.activation(), std::min(-2.0f, std::floor(low)), std::max(2.0f, std::ceil(high)));
}

void draw_grid(const Ui& ui, const Plot& plot) {
    const Theme& t = *ui.theme;
    const Box& box = plot.box;
    if (plot.y.low < 0) draw::horizontal_line(ui, box.min.x, box.max.x, plot.at_y(0), t.grid);
    draw::vertical_line(ui, plot.at_x(0), box.min.y, box.max.y, t.grid);
    const auto number = [&](double v, draw::Align align) {
        draw::text(ui, {plot.at_x(v), box.max.y + ui.px(1)}, typographic(significant(v)),
                   {FontRole::small, t.text_faint, align});
    };
    number(plot.x.low, draw::Align::left);
    number(0, draw::Align::centre);
    number(plot.x.high, draw::Align::right);
}

void draw_curve(const Ui& ui, const Plot& plot, const Curve& curve) {
    std::array<ImVec2, curve_points> points;
    for (std::size_t i = 0; i < curve_points; ++i) points[i] = plot.at(curve.x[i], curve.y[i]);
    draw_series(ui, points, {ui.theme->residual, 1.5f});
}

/// The neuron whose dot is nearest to the mouse, or −1.
int neuron_under_mouse(const Ui& ui, const MlpTrace& mlp, const Plot& plot) {
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    float nearest = ui.px(9);
    int found = -1;
    for (int neuron = 0; neuron < mlp.width; ++neuron) {
        const ImVec2 dot = place_of(plot, mlp, neuron);
        const float distance = std::hypot(dot.x - mouse.x, dot.y - mouse.y);
        if (distance < nearest) nearest = distance, found = neuron;
    }
    return found;
}

void draw_dots(const Frame& frame, const MlpTrace& mlp, const Plot& plot, int under) {
    const Ui& ui = frame.ui;
    const Theme& t = *ui.theme;
    const auto place = [&](int neuron) { return place_of(plot, mlp, neuron); };
    const ImU32 faint = with_alpha(t.mlp, mlp.width > 1000 ? 0.15f : 0.3f);
    for (int neuron = 0; neuron < mlp.width; ++neuron)
        ui.list()->AddCircleFilled(place(neuron), 2.0f * ui.scale, faint, 8);
    for (int i = mlp.shown - 1; i >= 0; --i) {
        const int neuron = mlp.strongest[i];
        const ImVec2 at = place(neuron);
        const float reach = ui.px(4);
        ui.list()->AddCircleFilled(at, 3.5f * ui.scale, t.mlp);
        ui.items->addf(Box::around(at, reach), mlp.value(mlp.activated(), neuron), "%s/dot %d", Frame::letter(mlp.slot),
                       i);
    }
    for (const int neuron : {mlp.chosen, under})
        if (neuron >= 0) ui.list()->AddCircle(place(neuron), 5.5f * ui.scale, t.selection, 0, 2.0f * ui.scale);
}

void heading(const Frame& frame, const MlpTrace& mlp, const Box& box) {
    const Ui& ui = frame.ui;
    const std::string_view name = title_of(mlp.activation());
    const std::string_view text =
        ui.items->format(mlp.gate >= 0 ? tr("%.*s: the gate of each neuron") : tr("%.*s: the output of each neuron"),
                         int_size(name), name.data());
    const bool cut = draw::text_in(ui, box, text, {FontRole::small_bold, ui.theme->mlp_text});
    ui.items->addf(box, std::nullopt, "%s/activation", Frame::letter(mlp.slot));
    if (draw::hovered(box))
        draw::tooltip(ui, filled(tr("{1}\nThe curve is the model's activation function. Each dot is a neuron: its "
                                    "input to the right, its output upwards. The strongest twelve are dark."),
                                 {std::string(cut ? text : name)}));
}

}  // namespace

void draw_activation_plot(const Frame& frame, const MlpTrace& mlp, const Box& box) {
    const Ui& ui = frame.ui;
    const float line = ui.line(FontRole::small);
    heading(frame, mlp, box.top(line));
    const Curve& curve = curve_for(mlp);
    const Plot plot = plot_of(curve, box.between_y(box.min.y + line + ui.px(3), box.max.y - line - ui.px(2)));
    draw_grid(ui, plot);
    draw_curve(ui, plot, curve);
    const Response area = click_area(ui, ui.items->of_card(mlp.slot, "plot"), plot.box);
    const int under = area.hovered ? neuron_under_mouse(ui, mlp, plot) : -1;
    draw_dots(frame, mlp, plot, under);
    if (under < 0) return;
    const std::string in = draw::signed_number(mlp.value(mlp.pre, under), 3);
    const std::string out = draw::signed_number(mlp.value(mlp.activated(), under), 3);
    point_at(frame, mlp.slot, mlp.cell(mlp.post, under), area.clicked,
             ui.items->format(tr("neuron %d  %.*s → %.*s"), under, int_size(in), in.data(), int_size(out), out.data()));
}

}  // namespace glassformer::app::views::mlp
