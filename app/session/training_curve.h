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

/// The curves of one training, how its heads scored at the steps where they were measured, and what happened in it.
/// Not thread-safe.
class TrainingCurve {
public:
    /// `nothing_yet`: events that know what is measured.
    explicit TrainingCurve(TrainingEvents nothing_yet) : nothing_yet_(nothing_yet), events_(std::move(nothing_yet)) {}

    /// As it was when it was kept. `opened_at`: what formed up to this step is found in the steps that were kept; −1:
    /// it is known.
    void begin(std::vector<MetricPoint> log, std::span<const HeadScoresAt> heads = {}, std::int64_t opened_at = -1);
    /// The past of a branch that begins at that step.
    void begin_as(const TrainingCurve& parent, std::int64_t step);

    /// A long run keeps its curve at a coarser grain: every second point of the older half goes.
    void add(const StepReport& report, double tokens_per_second);
    /// Of the model's newest step, which may be 0.
    void measured(std::int64_t step, double metric, float held_out_loss, std::vector<HeadScore> heads);
    /// Of a step that was travelled to.
    void note(std::int64_t step, double metric, float held_out_loss);
    /// The events hear of the newest points: nothing is added to those any more.
    void close_points();

    /// The first of the kept steps from before the run was opened whose heads nobody has measured; −1: none.
    std::int64_t step_without_heads(std::span<const std::int64_t> kept) const;
    /// Of such a step. Once there is none left, the events are those of the whole run.
    void heads_measured(std::int64_t step, std::vector<HeadScore> heads, std::span<const std::int64_t> kept);
    /// Empty where they were not measured.
    std::span<const HeadScore> heads_at(std::int64_t step) const;

    const std::vector<MetricPoint>& points() const { return points_; }
    const std::vector<TrainingEvent>& events() const { return events_.all(); }
    /// The loss of one batch is noisy: a running mean over about the last twenty, at the newest step or at a step.
    float smoothed_loss() const { return smoothed_loss_; }
    float smoothed_loss_at(std::int64_t step) const;

private:
    void begin_with(std::vector<MetricPoint> log, std::int64_t opened_at);
    void begin_events();
    void thin();

    TrainingEvents nothing_yet_, events_;
    std::vector<MetricPoint> points_;
    std::size_t closed_ = 0;                                // points that the events know
    std::optional<MetricPoint> untrained_;                  // what the untrained model was measured at
    std::map<std::int64_t, std::vector<HeadScore>> heads_;  // by the steps at which they were measured
    std::int64_t opened_at_ = -1;
    float smoothed_loss_ = 0.0f;
};

}  // namespace glassformer::app
