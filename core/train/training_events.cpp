#include "core/train/training_events.h"

#include <cmath>
#include <optional>

namespace glassformer {

namespace {

/// How much better the metric must be for the model to count as improving, and where there is nothing left to improve.
constexpr double better_share = 0.005, better_error = 0.01, learned_share = 0.99;

}  // namespace

void TrainingEvents::add(const MetricPoint& point, std::span<const HeadScore> heads) {
    if (point.accuracy >= 0.0f) add_measured(point);
    if (point.step > 0) {
        loss_.step(point.step, point.loss, static_cast<double>(point.gradient_norm), events_);
        loss_sum_ += static_cast<double>(point.loss);
        ++loss_count_;
    }
    if (point.held_out_loss >= 0.0f && loss_count_ > 0) {
        overfitting_.measured(point.step, loss_sum_ / loss_count_, static_cast<double>(point.held_out_loss), events_);
        loss_sum_ = 0.0;
        loss_count_ = 0;
    }
    if (!heads.empty()) heads_.measured(point.step, heads, events_);
}

void TrainingEvents::add_measured(const MetricPoint& point) {
    const std::optional<double> before = metric_.best();
    const auto value = static_cast<double>(point.accuracy);
    metric_.measured(point.step, value, events_);
    const bool better =
        before && (metric_.is_share() ? value > *before + better_share : value < *before * (1.0 - better_error));
    if (better) loss_.improved(point.step);
    if (metric_.is_share()) loss_.learned(*metric_.best() >= learned_share);
}

}  // namespace glassformer
