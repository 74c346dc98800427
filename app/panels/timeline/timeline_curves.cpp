#include <algorithm>

#include "app/panels/runs/run_colours.h"
#include "app/panels/timeline/timeline_drawing.h"

namespace glassformer::app {

namespace {

constexpr float least_gap = 0.08f;  // share of the training loss: a smaller gap is noise

/// Returns the y of a line at x, interpolated between its points.
float height_at(std::span<const ImVec2> line, float x) {
    const auto after = std::ranges::lower_bound(line, x, {}, &ImVec2::x);
    if (after == line.begin()) return line.front().y;
    if (after == line.end()) return line.back().y;
    const ImVec2 a = *(after - 1), b = *after;
    return a.y + (b.y - a.y) * (x - a.x) / std::max(b.x - a.x, 1e-3f);
}

/// Shades how much better the model knows its training data than data that it never saw.
void draw_gap(const Frame& frame, const TrainingPlot& plot, const Curves& curves) {
    if (curves.loss.empty()) return;
    const Ui& ui = frame.ui;
    const ImU32 shade = with_alpha(ui.theme->danger, 0.13f);
    const auto wide = [&](ImVec2 held_out, float training) {
        return training - held_out.y > least_gap * (plot.box.max.y - training);
    };
    for (std::size_t i = 1; i < curves.held_out.size(); ++i) {
        const ImVec2 a = curves.held_out[i - 1], b = curves.held_out[i];
        const float under_a = height_at(curves.loss, a.x), under_b = height_at(curves.loss, b.x);
        if (wide(a, under_a) && wide(b, under_b)) ui.list()->AddQuadFilled(a, b, {b.x, under_b}, {a.x, under_a}, shade);
    }
}

/// Marks the measurements that are far apart, since nothing was measured on the line between them. A single one has no
/// line.
void draw_measurements(const Ui& ui, std::span<const ImVec2> points, ImU32 colour) {
    const float far = ui.px(40);
    for (std::size_t i = 0; i < points.size(); ++i) {
        const bool first = i == 0, last = i + 1 == points.size();
        if ((first || points[i].x - points[i - 1].x > far) && (last || points[i + 1].x - points[i].x > far))
            draw_plot_dot(ui, points[i], colour);
    }
}

void draw_current(const Frame& frame, const TrainingPlot& plot, const ShownRun& run, const RunCurves::Drawn& drawn) {
    const Ui& ui = frame.ui;
    const ImU32 loss = run_colour(*ui.theme, run.colour), metric = run_metric_colour(*ui.theme, run.colour);
    const float thick = std::max(1.5f, 1.8f * ui.scale);
    const Curves& curves = drawn.own;
    draw_gap(frame, plot, curves);
    draw::line(ui, drawn.before, with_alpha(loss, 0.4f), ui.px(1));
    draw::line(ui, curves.raw_loss, with_alpha(loss, 0.28f), ui.px(1));
    draw::dashed_line(ui, curves.held_out, loss, std::max(1.0f, 1.1f * ui.scale), 2.5f, 2.5f);
    draw::dashed_line(ui, curves.accuracy, metric, thick, 5, 3);
    draw::line(ui, curves.loss, loss, thick);
    if (curves.loss.size() == 1) draw_plot_dot(ui, curves.loss.front(), loss);
    draw_measurements(ui, curves.held_out, loss);
    draw_measurements(ui, curves.accuracy, metric);
}

void draw_other(const Frame& frame, const ShownRun& run, const Curves& curves) {
    const Ui& ui = frame.ui;
    const float thick = std::max(1.0f, 1.3f * ui.scale);
    draw::dashed_line(ui, curves.accuracy, with_alpha(run_metric_colour(*ui.theme, run.colour), 0.75f), thick, 5, 3);
    draw::line(ui, curves.loss, with_alpha(run_colour(*ui.theme, run.colour), 0.85f), thick);
}

/// Labels each curve's end with its run's name, unless that would cover another label.
class EndLabels {
public:
    EndLabels(const Ui& ui, const TrainingPlot& plot) : ui_(ui), plot_(plot) {}

    void add(const ShownRun& run, ImVec2 end) {
        const ImVec2 size = draw::text_size(ui_, run.name, FontRole::small);
        const float x = std::clamp(end.x + ui_.px(5), plot_.box.min.x, plot_.box.max.x - size.x - ui_.px(2));
        const float y = std::clamp(end.y - size.y - ui_.px(2), plot_.box.min.y, plot_.box.max.y - size.y);
        const Box box{{x, y}, {x + size.x + 1, y + size.y}};
        if (std::ranges::any_of(placed_, [&](const Box& other) { return box.meets(other); })) return;
        placed_.push_back(box);
        const float out = ui_.px(2);
        ui_.list()->AddRectFilled({x - out, y}, {box.max.x + out, box.max.y}, with_alpha(ui_.theme->card, 0.8f), out);
        draw::text(ui_, box.min, run.name, {FontRole::small, run_colour(*ui_.theme, run.colour)});
    }

private:
    const Ui& ui_;
    const TrainingPlot& plot_;
    std::vector<Box> placed_;
};

bool shown_with_parent(const Snapshot& snapshot, const ShownRun& run, std::span<const ShownRun> runs) {
    const RunInfo* info = snapshot.current_run();
    return info && info->id == run.id && std::ranges::find(runs, info->origin.parent, &ShownRun::id) != runs.end();
}

}  // namespace

void draw_run_curves(const Frame& frame, const TrainingPlot& plot, std::span<const ShownRun> runs) {
    const Ui& ui = frame.ui;
    RunCurves& curves = run_curves(frame.state);
    const Box clip = plot.box.inset(-ui.px(4));
    ui.list()->PushClipRect(clip.min, clip.max, true);
    EndLabels labels(ui, plot);
    for (const ShownRun& run : runs) {
        const RunCurves::Drawn& drawn =
            curves.of(run, plot, run.current && !shown_with_parent(frame.snapshot, run, runs));
        if (run.current)
            draw_current(frame, plot, run, drawn);
        else
            draw_other(frame, run, drawn.own);
        if (drawn.own.loss.empty()) continue;
        const ImVec2 end = drawn.own.loss.back();
        ui.items->add(ui.items->format("curve/%d", run.id), Box::around(end, ui.px(4)),
                      smooth_loss_at(run.points(), run.history->back().step), run.name);
        if (runs.size() > 1) labels.add(run, end);
    }
    ui.list()->PopClipRect();
    curves.keep_only(runs);
}

}  // namespace glassformer::app
