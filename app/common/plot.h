#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/common/frame.h"
#include "core/train/timeline.h"

namespace glassformer::app {

/// Where the numbers of the training curves lie on screen. Loss runs from 0 to top_loss, the metric from 0 to
/// top_metric (1 for shares).
struct PlotScale {
    Box box;
    double steps = 1;  // at the right end
    float top_loss = 1.0f, top_metric = 1.0f;
    bool log_steps = false;  // x grows with log(1 + step)

    float x(double step) const { return box.min.x + box.width() * static_cast<float>(along(step)); }
    /// 0 at step 0, 1 at the right end.
    double along(double step) const;
    float loss_y(float loss) const { return box.max.y - box.height() * (loss / top_loss); }
    float metric_y(float value) const { return box.max.y - box.height() * (value / top_metric); }
    /// The step at a place on screen, 0 … steps.
    double step_at(float screen_x) const;
};

/// A round distance (1, 2 or 5 times a power of ten) that cuts `range` into at most `most` pieces.
double round_distance(double range, double most);

/// The training curves, made ready to draw: at most one point a pixel column, however long the history.
struct Curves {
    std::vector<ImVec2> loss;      // lightly smoothed
    std::vector<ImVec2> raw_loss;  // as measured: of each column its lowest and highest
    std::vector<ImVec2> accuracy;  // where it was measured
    std::vector<ImVec2> held_out;  // the loss on held-out data, where it was measured
};
Curves make_curves(std::span<const MetricPoint> history, const PlotScale& scale);

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
