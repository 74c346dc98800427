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

/// Returns the text of a loss on its axis, whose labels are `distance` apart.
std::string loss_label(double loss, double distance) {
    return loss < 1e4 ? with_decimals(loss, distance < 1 ? 1 : 0) : with_power(loss, 2);
}

/// Returns the plot inside its margins: labels on three sides, the playhead's handle above.
TrainingPlot plot_of(const Frame& frame, const Box& box, std::span<const ShownRun> runs) {
    const Ui& ui = frame.ui;
    const float right = draw::text_size(ui, "100 %", FontRole::small).x + ui.px(8);
    const float under = ui.line(FontRole::small) + ui.px(10);
    TrainingPlot plot;
    const Snapshot& snapshot = frame.snapshot;
    const CurveExtent extent = run_curves(frame.state).extent_of(snapshot, runs);
    const bool log_steps = frame.state.own<TimelineState>().log_steps;
    plot.x = {0, extent.steps, log_steps ? Axis::Spacing::log1p : Axis::Spacing::even};
    plot.y.high = extent.top_loss;
    if (snapshot.model && !snapshot.model->metric_is_share)
        plot.metric.high = std::max({static_cast<double>(extent.top_metric), 2 * snapshot.model->metric_level, 1e-6});
    if (snapshot.model && snapshot.model->metric_is_loss)
        plot.y.high = plot.metric.high = std::max(extent.top_loss, extent.top_metric);  // one number, one height
    const float left = std::max(draw::text_size(ui, "0.0", FontRole::small).x,
                                draw::text_size(ui, loss_label(plot.y.high, 1), FontRole::small).x) +
                       ui.px(8);
    plot.box = {{std::floor(box.min.x + left), std::floor(box.min.y + ui.px(2 * handle_radius + 1))},
                {std::floor(box.max.x - right), std::floor(box.max.y - under)}};
    return plot;
}

/// Returns the steps labelled on the axis: at even distances, or at 0, 1, 2, 5, 10, 20 … .
std::vector<double> named_steps(const TrainingPlot& plot, float room) {
    std::vector<double> steps;
    if (plot.x.spacing == Axis::Spacing::even) {
        const double distance = std::max(1.0, round_distance(plot.x.high, plot.box.width() / room));
        for (double step = 0; step <= plot.x.high * 1.0001; step += distance) steps.push_back(step);
        return steps;
    }
    steps.push_back(0);
    for (double power = 1; power <= plot.x.high; power *= 10)
        for (const double digit : {1.0, 2.0, 5.0})
            if (digit * power <= plot.x.high && plot.at_x(digit * power) - plot.at_x(steps.back()) >= room)
                steps.push_back(digit * power);
    return steps;
}

void draw_step_axis(const Frame& frame, const TrainingPlot& plot) {
    const Ui& ui = frame.ui;
    const Theme& t = *ui.theme;
    const Box& box = plot.box;
    draw::horizontal_line(ui, box.min.x, box.max.x, box.max.y, t.control_border);
    for (const std::int64_t kept : frame.snapshot.kept_steps) {
        const float x = plot.at_x(kept);
        if (x <= box.max.x + 1) draw::vertical_line(ui, x, box.max.y + ui.px(1), box.max.y + ui.px(6), t.residual);
    }
    const std::string_view widest = ui.items->format("%.0f", plot.x.high);
    const float room = draw::text_size(ui, widest, FontRole::small).x + ui.px(36);
    const float half = room / 2 - ui.px(14);
    for (const double step : named_steps(plot, room)) {
        const float x = plot.at_x(step), top = box.max.y + ui.px(8);
        draw::text_in(ui, {{x - half, top}, {x + half, top + ui.line(FontRole::small)}}, ui.items->format("%.0f", step),
                      {FontRole::small, t.text_faint, draw::Align::centre});
    }
}

void draw_value_axes(const Frame& frame, const TrainingPlot& plot) {
    const Ui& ui = frame.ui;
    const Theme& t = *ui.theme;
    const Box& box = plot.box;
    const float half = ui.line(FontRole::small) / 2, gap = ui.px(7);
    for (const int percent : {50, 100}) {
        if (frame.snapshot.model->metric_is_loss) break;  // it shares the axis of the loss
        const double value = plot.metric.high * percent / 100;
        const float y = plot.metric_y(value);
        draw::horizontal_line(ui, box.min.x, box.max.x, y);
        const bool share = frame.snapshot.model->metric_is_share;
        draw::text(ui, {box.max.x + gap, y - half}, share ? std::to_string(percent) + " %" : significant(value, 2),
                   {FontRole::small, t.attention_text});
    }
    if (history_of(frame.snapshot).empty()) return;
    const double rows = box.height() / (ui.line(FontRole::small) * 1.8f);
    const double distance = round_distance(plot.y.high, std::min(rows, 3.0));
    for (double loss = 0; loss <= plot.y.high; loss += distance)
        draw::text(ui, {box.min.x - gap, plot.at_y(loss) - half}, loss_label(loss, distance),
                   {FontRole::small, t.residual_text, draw::Align::right});
}

/// Draws the step on screen, and what was measured there.
void draw_playhead(const Frame& frame, const TrainingPlot& plot, bool held) {
    const Ui& ui = frame.ui;
    const Theme& t = *ui.theme;
    const Snapshot& snapshot = frame.snapshot;
    const float x = std::round(plot.at_x(snapshot.step)), radius = ui.px(handle_radius);
    const float y = plot.box.min.y - radius, thick = ui.px(2);
    ui.list()->AddRectFilled({x - thick / 2, y}, {x + thick / 2, plot.box.max.y}, t.selection);
    if (const std::optional<float> accuracy = accuracy_line_at(history_of(snapshot), snapshot.step)) {
        const float dot_y = plot.metric_y(*accuracy);
        const RunInfo* run = snapshot.current_run();
        draw_plot_dot(ui, {x, dot_y}, run_metric_colour(t, run ? run->colour : 0));
        ui.items->add("timeline accuracy dot", Box::around({x, dot_y}, ui.px(3)), *accuracy);
    }
    ui.list()->AddCircleFilled({x, y}, held ? radius + ui.px(1) : radius, t.selection);
    ui.list()->AddCircle({x, y}, held ? radius + ui.px(1) : radius, t.card, 0, ui.px(1));
    ui.items->add("playhead", Box::around({x, y}, radius), snapshot.step);
}

void draw_empty_plot(const Frame& frame, const TrainingPlot& plot) {
    const Ui& ui = frame.ui;
    const Box& box = plot.box;
    const Box place = box.between_x(box.min.x + ui.px(16), box.max.x - ui.px(8));
    const bool fresh = frame.snapshot.live_step == 0;
    const std::string_view text =
        !frame.snapshot.model->trainable()
            ? draw::first_fitting(
                  ui, place.width(),
                  {tr("Read-only: this model came without its training, and it cannot be trained here."),
                   tr("Read-only: it cannot be trained here.")},
                  FontRole::small)
        : fresh
            ? std::string_view(tr("No steps yet: press Train and the curves grow here."))
            : std::string_view(tr("This model came without the curves of its training. Train continues from here."));
    draw::text_in(ui, place, text, {FontRole::small, ui.theme->text_muted, draw::Align::centre});
}

/// Takes the place of a plot that would be empty for good: says why, and what to do instead.
void draw_no_training(const Ui& ui, const Box& box) {
    const std::string_view text = tr(
        "This model was not trained here, and no record of a training came with it. To see curves, open a model that "
        "was trained here, or start a new run.");
    const Box place = box.inset(ui.px(16), 0);
    const float height = draw::wrapped_height(ui, place.width(), text, FontRole::small);
    const float y = place.min.y + std::max(0.0f, std::round((place.height() - height) / 2));
    draw::label_wrapped(ui, {place.min.x, y}, place.width(), text,
                        {FontRole::small, ui.theme->text_muted, draw::Align::centre}, {"timeline/why not"});
}

/// Runs of another world have incomparable numbers: these axes leave them out, and a note says so.
void draw_left_out(const Frame& frame, const TrainingPlot& plot) {
    const auto left_out = std::ranges::count_if(
        frame.snapshot.runs, [&](const auto& run) { return !run->hidden && !same_world(frame.snapshot, *run); });
    if (left_out == 0) return;
    const Ui& ui = frame.ui;
    const std::string_view text =
        ui.items->format(tr("%d run of another world is not drawn", "%d runs of other worlds are not drawn", left_out),
                         static_cast<int>(left_out));
    const float line = ui.line(FontRole::small);
    const ImVec2 min{plot.box.min.x + ui.px(6), plot.box.max.y - line - ui.px(3)};
    const Box box{min,
                  {std::min(plot.box.max.x, min.x + draw::text_size(ui, text, FontRole::small).x + 1), min.y + line}};
    draw::label(ui, box, text, {FontRole::small, ui.theme->text_muted}, {"timeline/left out", item_state(left_out)});
    if (draw::hovered(box))
        draw::tooltip(ui, tr("Runs of other worlds\nTheir loss and metric measure something else. To draw their curves "
                             "instead, choose one in the list of runs."));
}

std::string current_lines(const Frame& frame, const ShownRun& run, const MetricPoint& point) {
    const Ui& ui = frame.ui;
    const std::span<const MetricPoint> history = run.points();
    std::string text = filled(tr(" · loss {1} (running mean)"), {with_decimals(smooth_loss_at(history, point.step))});
    if (const MetricPoint* measured = accuracy_at(history, point.step)) {
        text += "\n" + metric_label(*frame.snapshot.model) + " " +
                metric_text(*frame.snapshot.model, measured->accuracy) +
                ui.items->format(tr(", measured at step %lld"), static_cast<long long>(measured->step)).data();
        if (measured->held_out_loss >= 0.0f)
            text += filled(tr("\nloss on held-out data {1}"), {with_decimals(measured->held_out_loss)});
    }
    return text;
}

std::string other_line(const Frame& frame, const ShownRun& run, std::int64_t step) {
    const std::span<const MetricPoint> history = run.points();
    if (history.empty() || step > history.back().step || step < run.from) return {};
    std::string text =
        "\n" + std::string(run.name) + filled(tr(" · loss {1}"), {with_decimals(smooth_loss_at(history, step))});
    if (const MetricPoint* measured = accuracy_at(history, step))
        text += " · " + metric_text(*frame.snapshot.model, measured->accuracy);
    return text;
}

/// Returns what was measured for every visible run at a step.
std::string hover_text(const Frame& frame, std::span<const ShownRun> runs, std::int64_t step) {
    std::string text = filled(tr("step {1}"), {std::to_string(step)});
    const ShownRun& current = runs.back();
    if (const MetricPoint* point = point_at(current.points(), step); point && step <= current.points().back().step)
        text += current_lines(frame, current, *point);
    for (const ShownRun& run : runs.first(runs.size() - 1)) text += other_line(frame, run, step);
    return filled(tr("{1}\nnearest kept step: {2}"), {text, std::to_string(nearest_kept(frame.snapshot, step))});
}

/// Draws a thin line under the mouse with the numbers of that step.
void draw_hover(const Frame& frame, const TrainingPlot& plot, std::span<const ShownRun> runs) {
    const Ui& ui = frame.ui;
    const auto under = static_cast<std::int64_t>(std::llround(plot.x_value(ImGui::GetIO().MousePos.x)));
    std::int64_t newest = -1;
    for (const ShownRun& run : runs)
        if (!run.points().empty()) newest = std::max(newest, run.points().back().step);
    if (newest < 0) return;
    const std::int64_t step = std::min(under, newest);
    const MetricPoint* point = point_at(runs.back().points(), step);
    const std::int64_t known = point && step <= frame.snapshot.live_step ? point->step : step;
    const float x = plot.at_x(known);
    draw::vertical_line(ui, x, plot.box.min.y, plot.box.max.y, with_alpha(ui.theme->text, 0.45f));
    const std::string text = hover_text(frame, runs, known);
    ui.items->add("timeline hover", plot.box.between_x(x, x + 1), item_state(known), text);
    draw::tooltip(ui, text);
}

}  // namespace

void draw_timeline_plot(const Frame& frame, const Box& box) {
    const std::vector<ShownRun> runs = shown_runs(frame.snapshot);
    const TrainingPlot plot = plot_of(frame, box, runs);
    if (!frame.snapshot.model->has_training) {
        draw_no_training(frame.ui, box);
        return draw_left_out(frame, plot);
    }
    draw_value_axes(frame, plot);
    draw_step_axis(frame, plot);
    draw_run_curves(frame, plot, runs);
    draw_left_out(frame, plot);
    draw_event_flags(frame, plot);                   // before the area around them, so that they get the mouse
    const float reach = frame.ui.px(handle_radius);  // the handle may extend past either end
    const Response mouse = drag_area(
        frame.ui, "timeline", box.between_x(plot.box.min.x - reach, plot.box.max.x + reach), item_state(plot.x.high));
    if (mouse.held && ImGui::IsMouseClicked(0)) frame.state.own<TravelState>().step = -1;  // a new drag asks again
    if (mouse.held && frame.snapshot.live_step > 0)
        travel_to(frame, std::llround(plot.x_value(ImGui::GetIO().MousePos.x)));
    if (history_of(frame.snapshot).empty()) draw_empty_plot(frame, plot);
    if (mouse.hovered || mouse.held) {
        ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
        draw_hover(frame, plot, runs);
    }
    draw_playhead(frame, plot, mouse.held);
    // A separate picture includes the axes and the full label of the last step.
    const float over = draw::text_size(frame.ui, frame.ui.items->format("%.0f", plot.x.high), FontRole::small).x / 2;
    frame.ui.items->add("timeline with names", box.left_of(std::max(box.max.x, plot.box.max.x + over)));
}

}  // namespace glassformer::app
