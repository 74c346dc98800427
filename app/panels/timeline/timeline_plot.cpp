#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include "app/language/tr.h"
#include "app/panels/runs/run_colours.h"
#include "app/panels/timeline/timeline_drawing.h"
#include "app/panels/timeline/timeline_state.h"
#include "core/base/number_text.h"

namespace glassformer::app {

namespace {

constexpr float handle_radius = 6;  // pixels at 100 %

std::span<const MetricPoint> history_of(const Snapshot& snapshot) {
    return snapshot.history ? std::span<const MetricPoint>(*snapshot.history) : std::span<const MetricPoint>();
}

/// The plot inside its margins: labels on three sides, the playhead's handle above.
PlotScale scale_of(const Frame& frame, const Box& box, std::span<const ShownRun> runs) {
    const Ui& ui = frame.ui;
    const float left = draw::text_size(ui, "0.0", FontRole::small).x + ui.px(8);
    const float right = draw::text_size(ui, "100 %", FontRole::small).x + ui.px(8);
    const float under = ui.line(FontRole::small) + ui.px(10);
    PlotScale scale;
    scale.box = {{std::floor(box.min.x + left), std::floor(box.min.y + ui.px(2 * handle_radius + 1))},
                 {std::floor(box.max.x - right), std::floor(box.max.y - under)}};
    const Snapshot& snapshot = frame.snapshot;
    const CurveExtent extent = run_curves(frame.state).extent_of(snapshot, runs);
    scale.steps = extent.steps;
    scale.top_loss = extent.top_loss;
    if (snapshot.model && !snapshot.model->metric_is_share)
        scale.top_metric = std::max({extent.top_metric, static_cast<float>(2 * snapshot.model->metric_level), 1e-6f});
    if (snapshot.model && snapshot.model->metric_is_loss)
        scale.top_loss = scale.top_metric = std::max(extent.top_loss, extent.top_metric);  // one number, one height
    scale.log_steps = frame.state.own<TimelineState>().log_steps;
    return scale;
}

/// The steps that the axis names: at even distances, or at 0, 1, 2, 5, 10, 20 … .
std::vector<double> named_steps(const PlotScale& scale, float room) {
    std::vector<double> steps;
    if (!scale.log_steps) {
        const double distance =
            std::max(1.0, round_distance(scale.steps, static_cast<double>(scale.box.width() / room)));
        for (double step = 0; step <= scale.steps * 1.0001; step += distance) steps.push_back(step);
        return steps;
    }
    steps.push_back(0);
    for (double power = 1; power <= scale.steps; power *= 10)
        for (const double digit : {1.0, 2.0, 5.0})
            if (digit * power <= scale.steps && scale.x(digit * power) - scale.x(steps.back()) >= room)
                steps.push_back(digit * power);
    return steps;
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
    const float half = room / 2 - ui.px(14);
    for (const double step : named_steps(scale, room)) {
        const float x = scale.x(step), top = box.max.y + ui.px(8);
        draw::text_in(ui, {{x - half, top}, {x + half, top + ui.line(FontRole::small)}}, ui.items->format("%.0f", step),
                      {FontRole::small, t.text_faint, draw::Align::centre});
    }
}

void draw_value_axes(const Frame& frame, const PlotScale& scale) {
    const Ui& ui = frame.ui;
    const Theme& t = *ui.theme;
    const Box& box = scale.box;
    const float half = ui.line(FontRole::small) / 2, gap = ui.px(7);
    for (const int percent : {50, 100}) {
        if (frame.snapshot.model->metric_is_loss) break;  // it has the axis of the loss
        const float value = scale.top_metric * static_cast<float>(percent) / 100, y = scale.metric_y(value);
        draw::horizontal_line(ui, box.min.x, box.max.x, y);
        if (frame.snapshot.model->metric_is_share)
            draw::text(ui, {box.max.x + gap, y - half}, ui.items->format("%d %%", percent),
                       {FontRole::small, t.attention_text});
        else
            draw::text(ui, {box.max.x + gap, y - half}, significant(static_cast<double>(value), 2),
                       {FontRole::small, t.attention_text});
    }
    if (history_of(frame.snapshot).empty()) return;
    const double rows = static_cast<double>(box.height() / (ui.line(FontRole::small) * 1.8f));
    const auto top = static_cast<double>(scale.top_loss);
    const double distance = round_distance(top, std::min(rows, 3.0));
    for (double loss = 0; loss <= top; loss += distance)
        draw::text(ui, {box.min.x - gap, scale.loss_y(static_cast<float>(loss)) - half},
                   top < 1e6 ? with_decimals(loss, distance < 1 ? 1 : 0) : significant(loss, 2),
                   {FontRole::small, t.residual_text, draw::Align::right});
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
        const RunInfo* run = snapshot.current_run();
        draw_plot_dot(ui, {x, dot_y}, run_metric_colour(t, run ? run->colour : 0));
        ui.items->add("timeline accuracy dot", {{x - ui.px(3), dot_y - ui.px(3)}, {x + ui.px(3), dot_y + ui.px(3)}},
                      static_cast<double>(*accuracy));
    }
    ui.list()->AddCircleFilled({x, y}, held ? radius + ui.px(1) : radius, t.selection);
    ui.list()->AddCircle({x, y}, held ? radius + ui.px(1) : radius, t.card, 0, ui.px(1));
    ui.items->add("playhead", {{x - radius, y - radius}, {x + radius, y + radius}}, static_cast<double>(snapshot.step));
}

void draw_empty_plot(const Frame& frame, const PlotScale& scale) {
    const Ui& ui = frame.ui;
    const Box& box = scale.box;
    draw::text_in(ui, box.between_x(box.min.x + ui.px(16), box.max.x - ui.px(8)),
                  frame.snapshot.model->trainable()
                      ? frame.snapshot.live_step == 0
                            ? tr("No steps yet: press Train and the curves grow here.")
                            : tr("The curves of its training did not come with this model: Train goes on from here.")
                      : tr("Read-only: no training was kept with this model, and it cannot be trained here."),
                  {FontRole::small, ui.theme->text_muted, draw::Align::centre});
}

/// Runs that learn something else have numbers of another kind: they are not drawn on these axes, and it is said.
void draw_left_out(const Frame& frame, const PlotScale& scale) {
    const auto left_out = std::ranges::count_if(
        frame.snapshot.runs, [&](const auto& run) { return !run->hidden && !same_world(frame.snapshot, *run); });
    if (left_out == 0) return;
    const Ui& ui = frame.ui;
    const std::string_view text =
        left_out == 1 ? std::string_view(tr("1 run of another world is not drawn"))
                      : ui.items->format(tr("%d runs of other worlds are not drawn"), static_cast<int>(left_out));
    const float line = ui.line(FontRole::small);
    const ImVec2 min{scale.box.min.x + ui.px(6), scale.box.max.y - line - ui.px(3)};
    const ImVec2 max{std::min(scale.box.max.x, min.x + draw::text_size(ui, text, FontRole::small).x + 1), min.y + line};
    draw::text_in(ui, {min, max}, text, {FontRole::small, ui.theme->text_muted});
    ui.items->add("timeline/left out", {min, max}, item_state(static_cast<double>(left_out)), text);
    if (draw::hovered({min, max}))
        draw::tooltip(
            ui, tr("Runs of other worlds\nTheir loss and metric measure something else. Choose one of them in the "
                   "list of runs, and its curves are drawn instead."));
}

/// A hair line under the mouse with the numbers of that step.
void draw_hover(const Frame& frame, const PlotScale& scale, std::span<const ShownRun> runs) {
    const Ui& ui = frame.ui;
    const auto under = static_cast<std::int64_t>(std::llround(scale.step_at(ImGui::GetIO().MousePos.x)));
    std::int64_t newest = -1;
    for (const ShownRun& run : runs)
        if (!run.points().empty()) newest = std::max(newest, run.points().back().step);
    if (newest < 0) return;
    const std::int64_t step = std::min(under, newest);
    const MetricPoint* point = point_at(runs.back().points(), step);
    const std::int64_t known = point && step <= frame.snapshot.live_step ? point->step : step;
    const float x = scale.x(static_cast<double>(known));
    draw::vertical_line(ui, x, scale.box.min.y, scale.box.max.y, with_alpha(ui.theme->text, 0.45f));
    const std::string text = hover_text(frame, runs, known);
    ui.items->add("timeline hover", scale.box.between_x(x, x + 1), item_state(static_cast<double>(known)), text);
    draw::tooltip(ui, text);
}

}  // namespace

void draw_timeline_plot(const Frame& frame, const Box& box) {
    const std::vector<ShownRun> runs = shown_runs(frame.snapshot);
    const PlotScale scale = scale_of(frame, box, runs);
    draw_value_axes(frame, scale);
    draw_step_axis(frame, scale);
    draw_run_curves(frame, scale, runs);
    draw_left_out(frame, scale);
    draw_event_flags(frame, scale);                  // before the area around them, so that they get the mouse
    const float reach = frame.ui.px(handle_radius);  // the handle may hang over either end
    const Response mouse = click_area(
        frame.ui, "timeline", box.between_x(scale.box.min.x - reach, scale.box.max.x + reach), item_state(scale.steps));
    if (mouse.held && ImGui::IsMouseClicked(0)) frame.state.own<TravelState>().step = -1;  // a new drag asks again
    if (mouse.held && frame.snapshot.live_step > 0)
        travel_to(frame, std::llround(scale.step_at(ImGui::GetIO().MousePos.x)));
    if (history_of(frame.snapshot).empty()) draw_empty_plot(frame, scale);
    if (mouse.hovered || mouse.held) {
        ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
        draw_hover(frame, scale, runs);
    }
    draw_playhead(frame, scale, mouse.held);
    // A picture of its own has the axes, and all of the last step's name.
    const float over = draw::text_size(frame.ui, frame.ui.items->format("%.0f", scale.steps), FontRole::small).x / 2;
    frame.ui.items->add("timeline with names", box.left_of(std::max(box.max.x, scale.box.max.x + over)));
}

}  // namespace glassformer::app
