#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "core/analysis/head_scores.h"
#include "core/train/timeline.h"
#include "core/train/trainer.h"
#include "core/train/training_events.h"

namespace glassformer::app {

/// The curves of one training, the scores of its heads at the steps where they were measured, and its events. Not
/// thread-safe.
class TrainingCurve {
public:
    /// `nothing_yet`: an empty list of events that knows what is measured.
    explicit TrainingCurve(TrainingEvents nothing_yet) : nothing_yet_(nothing_yet), events_(std::move(nothing_yet)) {}

    /// Restores a kept curve. `opened_at`: what formed up to this step is worked out from the kept steps; −1: it is
    /// known already.
    void begin(std::vector<MetricPoint> log, std::span<const HeadScoresAt> heads = {}, std::int64_t opened_at = -1);
    /// Takes over the parent's past, for a branch that begins at that step.
    void begin_as(const TrainingCurve& parent, std::int64_t step);

    /// Adds a point. A long run thins its curve: one of every two neighbours in the older half is dropped, not the one
    /// that was measured.
    void add(const StepReport& report, double tokens_per_second);
    /// Records a measurement of the model's newest step, which may be 0.
    void measured(std::int64_t step, double metric, float held_out_loss, std::vector<HeadScore> heads);
    /// Records a measurement of an older step that was visited.
    void note(std::int64_t step, double metric, float held_out_loss);
    /// Passes the newest points to the events; nothing may be added to these points any more.
    void close_points();

    /// Returns the first kept step from before the run was opened whose heads have not been measured; −1: none.
    std::int64_t step_without_heads(std::span<const std::int64_t> kept) const;
    /// Records the heads of such a step. After the last one, the events cover the whole run.
    void heads_measured(std::int64_t step, std::vector<HeadScore> heads, std::span<const std::int64_t> kept);
    /// Returns an empty span if they were not measured.
    std::span<const HeadScore> heads_at(std::int64_t step) const;

    const std::vector<MetricPoint>& points() const { return points_; }
    const std::vector<TrainingEvent>& events() const { return events_.all(); }
    /// The loss of one batch is noisy: a running mean over about the last twenty, at the newest step or at a given
    /// step.
    float smoothed_loss() const { return smoothed_loss_; }
    float smoothed_loss_at(std::int64_t step) const;

private:
    void begin_with(std::vector<MetricPoint> log, std::int64_t opened_at, std::optional<MetricPoint> untrained = {});
    void begin_events();
    void thin();

    TrainingEvents nothing_yet_, events_;
    std::vector<MetricPoint> points_;
    std::size_t closed_ = 0;                                // number of points that the events know
    std::optional<MetricPoint> untrained_;                  // measurement of the untrained model
    std::map<std::int64_t, std::vector<HeadScore>> heads_;  // by the step at which they were measured
    std::int64_t opened_at_ = -1;
    float smoothed_loss_ = 0.0f;
};

}  // namespace glassformer::app
