#pragma once

#include <memory>
#include <span>
#include <vector>

#include "app/common/metric_curves.h"

namespace glassformer::app {

/// A run whose curves are on screen.
struct ShownRun {
    int id = -1;  // −1: a training that is only looked at
    int colour = 0;
    bool current = true;
    std::string_view name;
    std::int64_t from = 0;                                    // its curve begins here: where it branched off
    std::shared_ptr<const std::vector<MetricPoint>> history;  // whole, its parent's past included

    std::span<const MetricPoint> points() const;
    /// The part that its curve is drawn from.
    std::span<const MetricPoint> own_points() const;
};

/// Whether a run learns what the one at work does, so that their numbers mean the same and share axes.
bool same_world(const Snapshot& snapshot, const RunInfo& run);

/// The visible runs of the same world, the one at work last, so that it lies on top; it is shown even when it was
/// hidden.
std::vector<ShownRun> shown_runs(const Snapshot& snapshot);

/// What the runs' curves need of their axes.
struct CurveExtent {
    double steps = 1;
    float top_loss = 1.0f, top_metric = 0.0f;
};

/// The curves of every run, ready to draw. A history is read once for a place on screen and kept as long as both stay.
class RunCurves {
public:
    struct Drawn {
        Curves own;
        std::vector<ImVec2> before;  // the loss before the branch point, where no other curve shows it
    };

    /// The largest numbers of these runs. What a run that diverged climbs to would flatten all others: the axis ends at
    /// twice the first loss.
    CurveExtent extent_of(const Snapshot& snapshot, std::span<const ShownRun> runs);
    const Drawn& of(const ShownRun& run, const TrainingPlot& plot, bool with_past);
    /// Forgets the runs that are not on screen any more.
    void keep_only(std::span<const ShownRun> runs);

private:
    struct Entry {
        int id = -1;
        std::shared_ptr<const std::vector<MetricPoint>> history, measured_history;
        std::int64_t from = 0;
        TrainingPlot plot;
        bool with_past = false;
        Drawn drawn;
        float first_loss = 0.0f, largest_loss = 0.0f, largest_metric = 0.0f;
    };
    Entry& entry(int id);
    void measure(Entry& entry, const ShownRun& run);

    std::vector<std::unique_ptr<Entry>> entries_;
};

/// Kept in the view state.
RunCurves& run_curves(ViewState& state);

}  // namespace glassformer::app
