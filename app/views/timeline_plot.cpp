#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include "app/views/plot.h"
#include "app/views/timeline_parts.h"

namespace glassformer::app {

namespace {

constexpr float handle_radius = 6;  // pixels at 100 %

std::span<const MetricPoint> history_of(const Snapshot& snapshot) {
    return snapshot.history ? std::span<const MetricPoint>(*snapshot.history) : std::span<const MetricPoint>();
}

/// The plot inside its margins: labels on three sides, the playhead's handle above.
PlotScale scale_of(const Frame& frame, const Box& box) {
    const Ui& ui = frame.ui;
    const float left = draw::text_size(ui, "0.0", FontRole::small).x + ui.px(8);
    const float right = draw::text_size(ui, "100 %", FontRole::small).x + ui.px(8);
    const float under = ui.line(FontRole::small) + ui.px(10);
    PlotScale scale;
    scale.box = {{std::floor(box.min.x + left), std::floor(box.min.y + ui.px(2 * handle_radius + 1))},
                 {std::floor(box.max.x - right), std::floor(box.max.y - under)}};
    const Snapshot& snapshot = frame.snapshot;
    // The axis holds the whole planned run from its first step on, so that it does not move while the curve grows.
    scale.steps = static_cast<double>(std::max<std::int64_t>({1, snapshot.planned_steps, snapshot.live_step}));
    const float largest = largest_loss(history_of(snapshot));
    scale.top_loss = largest > 0 ? largest : 1.0f;
    if (snapshot.model && !snapshot.model->metric_is_share)
        scale.top_metric = std::max(
            {largest_metric(history_of(snapshot)), static_cast<float>(2 * snapshot.model->metric_level), 1e-6f});
    return scale;
}

void draw_step_axis(const Frame& frame, const PlotScale& scale) {
    const Ui& ui = frame.ui;
    const Theme& t = *ui.theme;
    const Box& box = scale.box;
    draw::horizontal_line(ui, box.min.x, box.max.x, box.max.y, t.control_border);
    for (const std::int64_t kept : frame.snapshot.kept_steps) {
        const float x = scale.x(static_cast<double>(kept));
        if (x <= box.max.x + 1) draw::vertical_line(ui, x, box.max.y + ui.px(1), box.max.y + ui.px(6), t.residual);
    }
    const std::string_view widest = ui.items->format("%.0f", scale.steps);
    const float room = draw::text_size(ui, widest, FontRole::small).x + ui.px(36);
    const double distance = std::max(1.0, round_distance(scale.steps, static_cast<double>(box.width() / room)));
    const float half = room / 2 - ui.px(14);
    for (double step = 0; step <= scale.steps * 1.0001; step += distance) {
        const float x = scale.x(step), top = box.max.y + ui.px(8);
        draw::text_in(ui, {x - half, top}, {x + half, top + ui.line(FontRole::small)}, ui.items->format("%.0f", step),
                      {FontRole::small, t.text_faint, draw::Align::centre});
    }
}

void draw_value_axes(const Frame& frame, const PlotScale& scale) {
    const Ui& ui = frame.ui;
    const Theme& t = *ui.theme;
    const Box& box = scale.box;
    const float half = ui.line(FontRole::small) / 2, gap = ui.px(7);
    for (const int percent : {50, 100}) {
        const float value = scale.top_metric * static_cast<float>(percent) / 100, y = scale.metric_y(value);
        draw::horizontal_line(ui, box.min.x, box.max.x, y);
        if (frame.snapshot.model->metric_is_share)
            draw::text(ui, {box.max.x + gap, y - half}, ui.items->format("%d %%", percent),
                       {FontRole::small, t.attention_text});
        else
            draw::text(ui, {box.max.x + gap, y - half}, ui.items->format("%.2g", static_cast<double>(value)),
                       {FontRole::small, t.attention_text});
    }
    if (history_of(frame.snapshot).empty()) return;
    const double rows = static_cast<double>(box.height() / (ui.line(FontRole::small) * 1.8f));
    const auto top = static_cast<double>(scale.top_loss);
    const double distance = round_distance(top, std::min(rows, 3.0));
    for (double loss = 0; loss <= top; loss += distance)
        draw::text(ui, {box.min.x - gap, scale.loss_y(static_cast<float>(loss)) - half},
                   ui.items->format(distance < 1 ? "%.1f" : "%.0f", loss),
                   {FontRole::small, t.residual_text, draw::Align::right});
}

void draw_dot(const Ui& ui, ImVec2 at, ImU32 colour) {
    ui.list()->AddCircleFilled(at, ui.px(4), ui.theme->card);
    ui.list()->AddCircleFilled(at, ui.px(3), colour);
}

void draw_curves(const Frame& frame, const PlotScale& scale) {
    const Ui& ui = frame.ui;
    const Theme& t = *ui.theme;
    const float thick = std::max(1.5f, 1.8f * ui.scale);
    const Curves curves = make_curves(history_of(frame.snapshot), scale);
    ui.list()->PushClipRect({scale.box.min.x - ui.px(4), scale.box.min.y - ui.px(4)},
                            {scale.box.max.x + ui.px(4), scale.box.max.y + ui.px(4)}, true);
    draw::line(ui, curves.raw_loss, with_alpha(t.residual, 0.28f), ui.px(1));
    draw::dashed_line(ui, curves.accuracy, t.attention_text, thick, 5, 3);
    draw::line(ui, curves.loss, t.residual, thick);
    // A line needs two points; a single one is a dot.
    if (curves.loss.size() == 1) draw_dot(ui, curves.loss.front(), t.residual);
    if (curves.accuracy.size() == 1) draw_dot(ui, curves.accuracy.front(), t.attention_text);
    ui.list()->PopClipRect();
}

/// The step on screen, and what was measured there.
void draw_playhead(const Frame& frame, const PlotScale& scale, bool held) {
    const Ui& ui = frame.ui;
    const Theme& t = *ui.theme;
    const Snapshot& snapshot = frame.snapshot;
    const float x = std::round(scale.x(static_cast<double>(snapshot.step))), radius = ui.px(handle_radius);
    const float y = scale.box.min.y - radius, thick = ui.px(2);
    ui.list()->AddRectFilled({x - thick / 2, y}, {x + thick / 2, scale.box.max.y}, t.selection);
    if (const std::optional<float> accuracy = accuracy_line_at(history_of(snapshot), snapshot.step)) {
        const float dot_y = scale.metric_y(*accuracy);
        draw_dot(ui, {x, dot_y}, t.attention_text);
        ui.items->add("timeline accuracy dot", {x - ui.px(3), dot_y - ui.px(3)}, {x + ui.px(3), dot_y + ui.px(3)},
                      static_cast<double>(*accuracy));
    }
    ui.list()->AddCircleFilled({x, y}, held ? radius + ui.px(1) : radius, t.selection);
    ui.list()->AddCircle({x, y}, held ? radius + ui.px(1) : radius, t.card, 0, ui.px(1));
    ui.items->add("playhead", {x - radius, y - radius}, {x + radius, y + radius}, static_cast<double>(snapshot.step));
}

void draw_empty(const Frame& frame, const PlotScale& scale) {
    const Ui& ui = frame.ui;
    const Box& box = scale.box;
    draw::text_in(ui, {box.min.x + ui.px(16), box.min.y}, {box.max.x - ui.px(8), box.max.y},
                  frame.snapshot.model->trainable()
                      ? "No steps yet: press Train and the curves grow here."
                      : "For looking only: no training was kept with this model, and it cannot be trained here.",
                  {FontRole::small, ui.theme->text_muted, draw::Align::centre});
}

/// A hair line under the mouse with the numbers of that step.
void draw_hover(const Frame& frame, const PlotScale& scale) {
    const Ui& ui = frame.ui;
    const std::span<const MetricPoint> history = history_of(frame.snapshot);
    const auto under = static_cast<std::int64_t>(std::llround(scale.step_at(ImGui::GetIO().MousePos.x)));
    const MetricPoint* point = point_at(history, std::min(under, frame.snapshot.live_step));
    if (!point) return;
    const float x = scale.x(static_cast<double>(point->step));
    draw::vertical_line(ui, x, scale.box.min.y, scale.box.max.y, with_alpha(ui.theme->text, 0.45f));
    std::string text = "step " + std::to_string(point->step);
    text += ui.items->format(" · loss %.2f (running mean)", static_cast<double>(smooth_loss_at(history, point->step)));
    if (const MetricPoint* measured = accuracy_at(history, point->step))
        text += "\n" + metric_label(*frame.snapshot.model) + " " +
                metric_text(*frame.snapshot.model, static_cast<double>(measured->accuracy)) +
                ui.items->format(", measured at step %lld", static_cast<long long>(measured->step)).data();
    text += "\nnearest kept step: " + std::to_string(nearest_kept(frame.snapshot, under));
    ui.items->add("timeline hover", {x, scale.box.min.y}, {x + 1, scale.box.max.y}, static_cast<double>(point->step),
                  text);
    draw::tooltip(ui, text);
}

}  // namespace

void draw_timeline_plot(const Frame& frame, const Box& box) {
    const PlotScale scale = scale_of(frame, box);
    draw_value_axes(frame, scale);
    draw_step_axis(frame, scale);
    const float reach = frame.ui.px(handle_radius);  // the handle may hang over either end
    const Response mouse = click_area(frame.ui, "timeline", {scale.box.min.x - reach, box.min.y},
                                      {scale.box.max.x + reach, box.max.y}, scale.steps);
    if (mouse.held && ImGui::IsMouseClicked(0)) frame.state.step_asked = -1;  // a new drag asks anew
    if (mouse.held && frame.snapshot.live_step > 0)
        travel_to(frame, std::llround(scale.step_at(ImGui::GetIO().MousePos.x)));
    draw_curves(frame, scale);
    if (history_of(frame.snapshot).empty()) draw_empty(frame, scale);
    if (mouse.hovered || mouse.held) {
        ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
        draw_hover(frame, scale);
    }
    draw_playhead(frame, scale, mouse.held);
}

}  // namespace glassformer::app
