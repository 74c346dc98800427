#pragma once

#include <memory>
#include <span>
#include <vector>

#include "app/common/metric_curves.h"

namespace glassformer::app {

/// A run whose curves are on screen.
struct ShownRun {
    int id = -1;  // −1: a training that is only viewed
    int colour = 0;
    bool current = true;
    std::string_view name;
    std::int64_t from = 0;                                    // its curve starts here, where it branched off
    std::shared_ptr<const std::vector<MetricPoint>> history;  // complete, including its parent's past

    std::span<const MetricPoint> points() const;
    /// Returns the part that the run's curve is drawn from.
    std::span<const MetricPoint> own_points() const;
};

/// Returns true if a run learns the same as the current one, so that their numbers are comparable and share axes.
bool same_world(const Snapshot& snapshot, const RunInfo& run);

/// Returns the visible runs of the same world. The current run is last, so that it is drawn on top, and is included
/// even if it is hidden.
std::vector<ShownRun> shown_runs(const Snapshot& snapshot);

/// The extent of the runs' curves, for the axes.
struct CurveExtent {
    double steps = 1;
    float top_loss = 1.0f, top_metric = 0.0f;
};

/// The curves of all runs, ready to draw. A curve is computed once and kept while its history and its place on screen
/// stay the same.
class RunCurves {
public:
    struct Drawn {
        Curves own;
        std::vector<ImVec2> before;  // the loss before the branch point, if no other curve shows it
    };

    /// Returns the largest numbers of these runs. A diverged run would flatten all others, so the axis ends at twice
    /// the first loss, or at twice the newest one of the current run, whose curve stays in sight.
    CurveExtent extent_of(const Snapshot& snapshot, std::span<const ShownRun> runs);
    const Drawn& of(const ShownRun& run, const TrainingPlot& plot, bool with_past);
    /// Drops the runs that are no longer on screen.
    void keep_only(std::span<const ShownRun> runs);

private:
    struct Entry {
        int id = -1;
        std::shared_ptr<const std::vector<MetricPoint>> history, measured_history;
        std::int64_t from = 0;
        TrainingPlot plot;
        bool with_past = false;
        Drawn drawn;
        float first_loss = 0.0f, last_loss = 0.0f, largest_loss = 0.0f, largest_metric = 0.0f;
    };
    Entry& entry(int id);
    void measure(Entry& entry, const ShownRun& run);

    std::vector<std::unique_ptr<Entry>> entries_;
};

/// Returns the instance in the view state.
RunCurves& run_curves(ViewState& state);

}  // namespace glassformer::app
