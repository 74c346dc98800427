#include "app/panels/runs/run_curves.h"

#include <algorithm>
#include <cmath>

#include "app/panels/timeline/timeline_state.h"

namespace glassformer::app {

namespace {

bool same_place(const TrainingPlot& a, const TrainingPlot& b) {
    return a.box == b.box && a.x == b.x && a.y == b.y && a.metric == b.metric;
}

/// Returns the points before the run branched off, and the first one after.
std::span<const MetricPoint> past_of(const ShownRun& run) {
    const std::span<const MetricPoint> all = run.points();
    const std::size_t count = all.size() - run.own_points().size();
    return all.first(std::min(count + 1, all.size()));
}

}  // namespace

std::span<const MetricPoint> ShownRun::points() const {
    return history ? std::span<const MetricPoint>(*history) : std::span<const MetricPoint>();
}

std::span<const MetricPoint> ShownRun::own_points() const {
    const std::span<const MetricPoint> all = points();
    const auto first = std::ranges::lower_bound(all, from, {}, &MetricPoint::step);
    return all.subspan(first - all.begin());
}

bool same_world(const Snapshot& snapshot, const RunInfo& run) {
    const RunInfo* current = snapshot.current_run();
    return !current || (run.setup.world == current->setup.world && run.setup.unit == current->setup.unit);
}

std::vector<ShownRun> shown_runs(const Snapshot& snapshot) {
    std::vector<ShownRun> shown;
    for (const auto& info : snapshot.runs)
        if (!info->hidden && info->id != snapshot.run && same_world(snapshot, *info))
            shown.push_back({info->id, info->colour, false, info->name, info->origin.step, info->history});
    if (const RunInfo* current = snapshot.current_run())
        shown.push_back({current->id, current->colour, true, current->name, current->origin.step, snapshot.history});
    else
        shown.push_back({-1, 0, true, {}, 0, snapshot.history});
    return shown;
}

RunCurves::Entry& RunCurves::entry(int id) {
    const auto found = std::ranges::find_if(entries_, [&](const auto& e) { return e->id == id; });
    if (found != entries_.end()) return **found;
    entries_.push_back(std::make_unique<Entry>());
    entries_.back()->id = id;
    return *entries_.back();
}

void RunCurves::measure(Entry& e, const ShownRun& run) {
    if (e.measured_history == run.history) return;
    e.measured_history = run.history;
    const std::span<const MetricPoint> points = run.points();
    e.largest_loss = largest_loss(points);
    e.largest_metric = largest_metric(points);
    const auto first =
        std::ranges::find_if(points, [](const MetricPoint& p) { return std::isfinite(p.loss) && p.loss > 0; });
    e.first_loss = first == points.end() ? 0.0f : first->loss;
    e.last_loss = points.empty() ? 0.0f : smooth_loss_at(points, points.back().step);
}

CurveExtent RunCurves::extent_of(const Snapshot& snapshot, std::span<const ShownRun> runs) {
    CurveExtent extent;
    // The axis covers the whole planned run from its first step on, so that it does not move while the curve grows.
    extent.steps = static_cast<double>(std::max<std::int64_t>({1, snapshot.planned_steps, snapshot.live_step}));
    float largest = 0, first = 0, last = 0;
    for (const ShownRun& run : runs) {
        Entry& e = entry(run.id);
        measure(e, run);
        largest = std::max(largest, e.largest_loss);
        first = std::max(first, e.first_loss);
        if (run.current) last = e.last_loss;
        extent.top_metric = std::max(extent.top_metric, e.largest_metric);
        if (run.history && !run.history->empty())
            extent.steps = std::max(extent.steps, static_cast<double>(run.history->back().step));
    }
    if (first > 0) largest = std::min(largest, 2 * std::max(first, last));
    extent.top_loss = largest > 0 ? largest : 1.0f;
    return extent;
}

const RunCurves::Drawn& RunCurves::of(const ShownRun& run, const TrainingPlot& plot, bool with_past) {
    Entry& e = entry(run.id);
    if (e.history == run.history && e.from == run.from && e.with_past == with_past && same_place(e.plot, plot))
        return e.drawn;
    e.history = run.history;
    e.from = run.from;
    e.with_past = with_past;
    e.plot = plot;
    e.drawn.own = make_curves(run.own_points(), plot);
    e.drawn.before.clear();
    if (with_past && run.from > 0) e.drawn.before = make_curves(past_of(run), plot).loss;
    return e.drawn;
}

void RunCurves::keep_only(std::span<const ShownRun> runs) {
    std::erase_if(entries_, [&](const auto& e) { return std::ranges::find(runs, e->id, &ShownRun::id) == runs.end(); });
}

RunCurves& run_curves(ViewState& state) {
    if (!state.own<TimelineState>().curves) state.own<TimelineState>().curves = std::make_shared<RunCurves>();
    return *state.own<TimelineState>().curves;
}

}  // namespace glassformer::app
