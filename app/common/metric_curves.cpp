#include "app/common/metric_curves.h"

#include <algorithm>
#include <cmath>

#include "app/language/sentences.h"
#include "app/language/tr.h"
#include "app/session/running_at.h"
#include "core/base/number_text.h"

namespace glassformer::app {

namespace {

// A longer history is subsampled, so that frames stay fast after hours of training.
constexpr std::size_t most_read = 20000;

std::size_t stride_of(std::span<const MetricPoint> history) { return history.size() / most_read + 1; }

/// The loss of the steps that share a pixel column.
struct Column {
    float x, sum, low, high;
    int count;
};

std::vector<Column> loss_columns(std::span<const MetricPoint> history, const TrainingPlot& plot) {
    std::vector<Column> columns;
    columns.reserve(std::min(history.size() + 1, static_cast<std::size_t>(plot.box.width()) + 2));
    const std::size_t stride = stride_of(history);
    const auto add = [&](const MetricPoint& p) {
        if (!std::isfinite(p.loss)) return;
        const float x = std::floor(plot.at_x(static_cast<double>(p.step)));
        if (columns.empty() || columns.back().x != x) columns.push_back({x, 0, p.loss, p.loss, 0});
        Column& c = columns.back();
        c.sum += p.loss;
        c.low = std::min(c.low, p.loss);
        c.high = std::max(c.high, p.loss);
        ++c.count;
    };
    for (std::size_t i = 0; i < history.size(); i += stride) add(history[i]);
    if (!history.empty() && (history.size() - 1) % stride != 0) add(history.back());
    return columns;
}

/// A moving average whose window narrows towards both ends, so that the curve keeps its true end points.
std::vector<ImVec2> smoothed(std::span<const Column> columns, const TrainingPlot& plot) {
    const int count = static_cast<int>(columns.size()), widest = std::min(12, count / 60);
    std::vector<ImVec2> points;
    points.reserve(columns.size());
    for (int i = 0; i < count; ++i) {
        const int half = std::min({widest, i, count - 1 - i});
        float sum = 0, weight = 0;
        for (int j = i - half; j <= i + half; ++j) {
            sum += columns[j].sum;
            weight += static_cast<float>(columns[j].count);
        }
        points.push_back({columns[i].x, plot.at_y(sum / weight)});
    }
    return points;
}

std::vector<ImVec2> extremes(std::span<const Column> columns, const TrainingPlot& plot) {
    std::vector<ImVec2> points;
    points.reserve(2 * columns.size());
    for (const Column& c : columns) {
        points.push_back({c.x, plot.at_y(c.low)});
        if (c.count > 1) points.push_back({c.x, plot.at_y(c.high)});
    }
    return points;
}

// Measured only now and then, so every point of the history is checked: one comparison each.
std::vector<ImVec2> measured_points(std::span<const MetricPoint> history, const TrainingPlot& plot, const Axis& axis,
                                    float MetricPoint::*field) {
    std::vector<ImVec2> points;
    for (const MetricPoint& p : history) {
        if (!(p.*field >= 0.0f)) continue;
        const ImVec2 at{std::floor(plot.at_x(static_cast<double>(p.step))), plot.on_axis(axis, p.*field)};
        if (!points.empty() && points.back().x == at.x)
            points.back() = at;
        else
            points.push_back(at);
    }
    return points;
}

}  // namespace

Curves make_curves(std::span<const MetricPoint> history, const TrainingPlot& plot) {
    const std::vector<Column> columns = loss_columns(history, plot);
    return {smoothed(columns, plot), extremes(columns, plot),
            measured_points(history, plot, plot.metric, &MetricPoint::accuracy),
            measured_points(history, plot, plot.y, &MetricPoint::held_out_loss)};
}

std::string metric_label(const ModelInfo& model) {
    if (model.metric_name.empty()) return tr("accuracy");
    std::string label = model.metric_name.substr(0, model.metric_name.find(", "));
    constexpr std::string_view held_out = "held-out ";
    // The loss on screen is the training loss, so a held-out loss keeps its full name.
    if (label.starts_with(held_out) && label != "held-out loss") label.erase(0, held_out.size());
    return tr_sentence(label);
}

std::string metric_text(const ModelInfo& model, double value) {
    if (!model.metric_is_share) return significant(value);
    return std::isfinite(value) ? with_decimals(100 * value, 0) + " %" : "–";
}

float largest_metric(std::span<const MetricPoint> history) {
    float largest = 0;
    for (const MetricPoint& p : history)
        if (std::isfinite(p.accuracy)) largest = std::max(largest, p.accuracy);
    return largest;
}

float largest_loss(std::span<const MetricPoint> history) {
    float largest = 0;
    for (std::size_t i = 0; i < history.size(); i += stride_of(history))
        if (std::isfinite(history[i].loss)) largest = std::max(largest, history[i].loss);
    for (const MetricPoint& p : history)
        if (std::isfinite(p.held_out_loss)) largest = std::max(largest, p.held_out_loss);
    return largest;
}

const MetricPoint* point_at(std::span<const MetricPoint> history, std::int64_t step) {
    if (history.empty()) return nullptr;
    const auto after = std::ranges::lower_bound(history, step, {}, &MetricPoint::step);
    if (after == history.begin()) return &*after;
    const auto before = after - 1;
    if (after == history.end() || step - before->step <= after->step - step) return &*before;
    return &*after;
}

float smooth_loss_at(std::span<const MetricPoint> history, std::int64_t step) {
    const auto end = std::ranges::upper_bound(history, step, {}, &MetricPoint::step) - history.begin();
    constexpr std::ptrdiff_t memory = 200;  // what lies further back weighs less than 0.0001
    float smooth = -1.0f;
    for (std::ptrdiff_t i = std::max<std::ptrdiff_t>(0, end - memory); i < end; ++i) {
        const float loss = history[i].loss;
        smooth = smooth < 0 ? loss : 0.95f * smooth + 0.05f * loss;
    }
    return smooth;
}

std::optional<double> measured_loss(const Snapshot& snapshot) {
    if (!snapshot.history || snapshot.history->empty() || snapshot.history->front().step > snapshot.step) return {};
    if (is_of_parent(snapshot)) return {};
    return snapshot.loss;
}

const MetricPoint* accuracy_at(std::span<const MetricPoint> history, std::int64_t step) {
    auto i = std::ranges::upper_bound(history, step, {}, &MetricPoint::step);
    while (i != history.begin())
        if ((--i)->accuracy >= 0.0f) return &*i;
    return nullptr;
}

std::optional<float> accuracy_line_at(std::span<const MetricPoint> history, std::int64_t step) {
    const MetricPoint* before = accuracy_at(history, step);
    if (!before) return {};
    if (before->step == step) return before->accuracy;
    const auto later = std::ranges::upper_bound(history, step, {}, &MetricPoint::step);
    const auto after = std::find_if(later, history.end(), [](const MetricPoint& p) { return p.accuracy >= 0.0f; });
    if (after == history.end()) return {};
    const float along = static_cast<float>(step - before->step) / static_cast<float>(after->step - before->step);
    return before->accuracy + along * (after->accuracy - before->accuracy);
}

}  // namespace glassformer::app
