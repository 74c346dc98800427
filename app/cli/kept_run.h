#pragma once

#include <chrono>
#include <memory>
#include <span>

#include "app/cli/cli.h"
#include "core/io/run_folder.h"
#include "core/train/task.h"
#include "core/train/trainer.h"

namespace glassformer::app {

/// The folder that `train` keeps its run in while it trains.
class KeptRun {
public:
    /// --run: creates a folder with the trainer's current state.
    static KeptRun begin(const TrainArgs& args, const Task& task, const Trainer& trainer);
    /// --resume: opens the folder of a run.
    static KeptRun resume(const TrainArgs& args);

    const RunSettings& settings() const { return folder_.settings(); }
    /// What was logged before.
    const TrainingLog& log() const { return folder_.log(); }
    TrainingState take_state() { return folder_.take_state(); }
    /// What had to be set aside or left out to resume.
    const std::vector<std::string>& notes() const { return folder_.notes(); }
    std::vector<TrainingState> keyframes() const { return folder_.keyframes(); }
    /// The run's world. Throws Error if it has changed since the run began: training on with other data would look like
    /// one run and be two.
    std::unique_ptr<Task> task() const;

    /// Call after each step: logs it, and from time to time saves the trainer's state and the timeline's steps.
    void add(const MetricPoint& point, std::span<const HeadScore> heads, const Trainer& trainer,
             const Timeline& timeline);
    /// Saves the last state.
    void finish(const Trainer& trainer, const Timeline& timeline);

private:
    using Clock = std::chrono::steady_clock;
    KeptRun(const TrainArgs& args, RunFolder folder, std::int64_t saved_step);
    void save(const Trainer& trainer, const Timeline& timeline);

    std::int64_t save_every_, saved_step_;
    double save_seconds_;
    RunFolder folder_;
    Clock::time_point saved_at_ = Clock::now();
};

}  // namespace glassformer::app
