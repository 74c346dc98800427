#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/common/frame.h"
#include "app/ui/plot.h"
#include "core/train/timeline.h"

namespace glassformer::app {

/// The plot of the training curves: steps on x, the loss on y from 0, and the metric on its own axis (up to 1 for
/// shares).
struct TrainingPlot : Plot {
    Axis metric;

    float metric_y(double value) const { return on_axis(metric, value); }
};

/// The training curves, ready to draw: at most two points per pixel column, however long the history.
struct Curves {
    std::vector<ImVec2> loss;      // lightly smoothed
    std::vector<ImVec2> raw_loss;  // as measured: the lowest and highest of each column
    std::vector<ImVec2> accuracy;  // where it was measured
    std::vector<ImVec2> held_out;  // the loss on held-out data, where it was measured
};
Curves make_curves(std::span<const MetricPoint> history, const TrainingPlot& plot);

/// The metric's name beside a curve: "sense accuracy", "squared error ÷ d"; "accuracy" if it has no name.
std::string metric_label(const ModelInfo& model);
/// Its value: "97 %" for a share, else "0.021".
std::string metric_text(const ModelInfo& model, double value);
/// The largest metric of the history; 0 if there is none.
float largest_metric(std::span<const MetricPoint> history);

/// The largest loss of the history, held out or not; 0 if there is none.
float largest_loss(std::span<const MetricPoint> history);
/// The point nearest to a step; null if there is none.
const MetricPoint* point_at(std::span<const MetricPoint> history, std::int64_t step);
/// The loss smoothed over the steps up to this one (weight 0.05 per step, as in the session); −1 if there is none.
float smooth_loss_at(std::span<const MetricPoint> history, std::int64_t step);
/// The loss at the step on screen; empty before the first loss was measured.
std::optional<double> measured_loss(const Snapshot& snapshot);
/// The newest point with a measured accuracy at or before a step; null if there is none.
const MetricPoint* accuracy_at(std::span<const MetricPoint> history, std::int64_t step);
/// The accuracy curve's value at a step, interpolated between two measured points; empty if there is no curve.
std::optional<float> accuracy_line_at(std::span<const MetricPoint> history, std::int64_t step);

}  // namespace glassformer::app
