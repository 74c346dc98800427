#include <cmath>

#include "app/language/tr.h"
#include "app/panels/timeline/timeline_drawing.h"
#include "core/base/number_text.h"

namespace glassformer::app {

namespace {

std::string current_lines(const Frame& frame, const ShownRun& run, const MetricPoint& point) {
    const Ui& ui = frame.ui;
    const std::span<const MetricPoint> history = run.points();
    std::string text = filled(tr(" · loss {1} (running mean)"),
                              {with_decimals(static_cast<double>(smooth_loss_at(history, point.step)))});
    if (const MetricPoint* measured = accuracy_at(history, point.step)) {
        text += "\n" + metric_label(*frame.snapshot.model) + " " +
                metric_text(*frame.snapshot.model, static_cast<double>(measured->accuracy)) +
                ui.items->format(tr(", measured at step %lld"), static_cast<long long>(measured->step)).data();
        if (measured->held_out_loss >= 0.0f)
            text += filled(tr("\nloss on held-out data {1}"),
                           {with_decimals(static_cast<double>(measured->held_out_loss))});
    }
    return text;
}

std::string other_line(const Frame& frame, const ShownRun& run, std::int64_t step) {
    const std::span<const MetricPoint> history = run.points();
    if (history.empty() || step > history.back().step || step < run.from) return {};
    std::string text = "\n" + std::string(run.name) +
                       filled(tr(" · loss {1}"), {with_decimals(static_cast<double>(smooth_loss_at(history, step)))});
    if (const MetricPoint* measured = accuracy_at(history, step))
        text += " · " + metric_text(*frame.snapshot.model, static_cast<double>(measured->accuracy));
    return text;
}

}  // namespace

std::string hover_text(const Frame& frame, std::span<const ShownRun> runs, std::int64_t step) {
    std::string text = filled(tr("step {1}"), {std::to_string(step)});
    const ShownRun& current = runs.back();
    if (const MetricPoint* point = point_at(current.points(), step); point && step <= current.points().back().step)
        text += current_lines(frame, current, *point);
    for (const ShownRun& run : runs.first(runs.size() - 1)) text += other_line(frame, run, step);
    return filled(tr("{1}\nnearest kept step: {2}"), {text, std::to_string(nearest_kept(frame.snapshot, step))});
}

}  // namespace glassformer::app
