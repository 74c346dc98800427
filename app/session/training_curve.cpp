#include "app/session/training_curve.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace glassformer::app {

namespace {

constexpr std::size_t most_points = 16384;

float smoothed(float before, float loss) { return 0.95f * before + 0.05f * loss; }

void write_measures(MetricPoint& point, double metric, float held_out_loss) {
    point.accuracy = static_cast<float>(metric);
    point.held_out_loss = held_out_loss;
}

}  // namespace

void TrainingCurve::begin(std::vector<MetricPoint> log, std::span<const HeadScoresAt> heads, std::int64_t opened_at) {
    heads_.clear();
    for (const HeadScoresAt& at : heads) heads_[at.step] = at.scores;
    begin_with(std::move(log), opened_at);
}

void TrainingCurve::begin_as(const TrainingCurve& parent, std::int64_t step) {
    std::vector<MetricPoint> before;
    std::ranges::copy_if(parent.points_, std::back_inserter(before),
                         [&](const MetricPoint& p) { return p.step <= step; });
    heads_ = {parent.heads_.begin(), parent.heads_.upper_bound(step)};
    begin_with(std::move(before), -1, parent.untrained_);
}

void TrainingCurve::begin_with(std::vector<MetricPoint> log, std::int64_t opened_at,
                               std::optional<MetricPoint> untrained) {
    points_ = std::move(log);
    untrained_ = untrained;
    opened_at_ = opened_at;
    smoothed_loss_ = points_.empty() ? 0.0f : smoothed_loss_at(points_.back().step);
    begin_events();
}

void TrainingCurve::begin_events() {
    events_ = nothing_yet_;
    closed_ = 0;
    const std::span<const HeadScore> first = heads_at(0);
    if (untrained_ || !first.empty()) events_.add(untrained_.value_or(MetricPoint()), first);
    close_points();
}

void TrainingCurve::close_points() {
    for (; closed_ < points_.size(); ++closed_) {
        const std::int64_t before = closed_ == 0 ? 0 : points_[closed_ - 1].step, step = points_[closed_].step;
        // Heads that were measured at a step whose point is not kept.
        for (auto at = heads_.upper_bound(before); at != heads_.end() && at->first < step; ++at)
            events_.add_heads(at->first, at->second);
        events_.add(points_[closed_], heads_at(step));
    }
}

void TrainingCurve::add(const StepReport& report, double tokens_per_second) {
    thin();
    smoothed_loss_ = points_.empty() ? report.loss : smoothed(smoothed_loss_, report.loss);
    points_.push_back(report.point(tokens_per_second));
}

// Of two neighbours, the measured one stays.
void TrainingCurve::thin() {
    if (points_.size() <= most_points) return;
    const std::size_t older = points_.size() / 4 * 2;
    std::vector<MetricPoint> kept;
    for (std::size_t i = 0; i < older; i += 2)
        kept.push_back(points_[i].accuracy < 0.0f && points_[i + 1].accuracy >= 0.0f ? points_[i + 1] : points_[i]);
    kept.insert(kept.end(), points_.begin() + static_cast<std::ptrdiff_t>(older), points_.end());
    closed_ -= points_.size() - kept.size();
    points_ = std::move(kept);
}

void TrainingCurve::measured(std::int64_t step, double metric, float held_out_loss, std::vector<HeadScore> heads) {
    if (points_.empty() && step == 0 && !untrained_) {
        write_measures(untrained_.emplace(), metric, held_out_loss);
        heads_[0] = std::move(heads);
        return begin_events();
    }
    if (points_.empty() || points_.back().step != step) return;
    write_measures(points_.back(), metric, held_out_loss);
    if (closed_ < points_.size()) heads_[step] = std::move(heads);
}

void TrainingCurve::note(std::int64_t step, double metric, float held_out_loss) {
    const auto point = std::ranges::find(points_, step, &MetricPoint::step);
    if (point != points_.end()) write_measures(*point, metric, held_out_loss);
}

std::int64_t TrainingCurve::step_without_heads(std::span<const std::int64_t> kept) const {
    const auto unknown = [&](std::int64_t step) { return step <= opened_at_ && !heads_.contains(step); };
    const auto found = std::ranges::find_if(kept, unknown);
    return found == kept.end() ? -1 : *found;
}

void TrainingCurve::heads_measured(std::int64_t step, std::vector<HeadScore> heads,
                                   std::span<const std::int64_t> kept) {
    const bool measurable = !heads.empty();
    heads_[step] = std::move(heads);
    if (measurable && step_without_heads(kept) >= 0) return;
    opened_at_ = -1;
    begin_events();
}

std::span<const HeadScore> TrainingCurve::heads_at(std::int64_t step) const {
    const auto found = heads_.find(step);
    return found == heads_.end() ? std::span<const HeadScore>() : std::span<const HeadScore>(found->second);
}

float TrainingCurve::smoothed_loss_at(std::int64_t step) const {
    float smooth = 0.0f;
    bool first = true;
    for (const MetricPoint& p : points_) {
        if (p.step > step) break;
        smooth = std::exchange(first, false) ? p.loss : smoothed(smooth, p.loss);
    }
    return smooth;
}

}  // namespace glassformer::app
