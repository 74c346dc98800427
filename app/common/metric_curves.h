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

/// The plot of the training curves: steps to the right, the loss upwards from 0, and the metric on an axis of its own
/// (to 1 for shares).
struct TrainingPlot : Plot {
    Axis metric;

    float metric_y(double value) const { return on_axis(metric, value); }
};

/// The training curves, made ready to draw: at most one point a pixel column, however long the history.
struct Curves {
    std::vector<ImVec2> loss;      // lightly smoothed
    std::vector<ImVec2> raw_loss;  // as measured: of each column its lowest and highest
    std::vector<ImVec2> accuracy;  // where it was measured
    std::vector<ImVec2> held_out;  // the loss on held-out data, where it was measured
};
Curves make_curves(std::span<const MetricPoint> history, const TrainingPlot& plot);

/// What the metric is called beside a curve: "sense accuracy", "squared error ÷ d"; "accuracy" without a name.
std::string metric_label(const ModelInfo& model);
/// Its value: "97 %" where it is a share, else "0.021".
std::string metric_text(const ModelInfo& model, double value);
/// The largest metric of the history; 0 when there is none.
float largest_metric(std::span<const MetricPoint> history);

/// The largest loss of the history, held out or not; 0 when there is none.
float largest_loss(std::span<const MetricPoint> history);
/// The point nearest to a step; null when there is none.
const MetricPoint* point_at(std::span<const MetricPoint> history, std::int64_t step);
/// Loss smoothed over the steps up to this one (weight 0.05 a step, as the session's); −1 when there is none.
float smooth_loss_at(std::span<const MetricPoint> history, std::int64_t step);
/// The loss at the step on screen; none before the first loss was measured.
std::optional<double> measured_loss(const Snapshot& snapshot);
/// The newest point at or before a step whose accuracy was measured; null when there is none.
const MetricPoint* accuracy_at(std::span<const MetricPoint> history, std::int64_t step);
/// The height of the accuracy's line at a step, between two measured points; none where there is no line.
std::optional<float> accuracy_line_at(std::span<const MetricPoint> history, std::int64_t step);

}  // namespace glassformer::app
