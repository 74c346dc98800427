#pragma once

#include <chrono>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "app/cli/cli.h"
#include "core/io/run_folder.h"
#include "core/train/task.h"
#include "core/train/trainer.h"

namespace glassformer::app {

/// How many keyframes a training keeps: as many as --keyframes says, but enough to choose from.
int most_keyframes(const TrainArgs& args);

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
    /// Limits of a timeline that has room for all keyframes of the folder.
    TimelineLimits timeline_limits() const;
    /// Moves out the keyframes that were there. Call this only once.
    std::vector<TrainingState> take_keyframes() { return std::move(keyframes_); }
    /// The run's world. Throws Error if it has changed since the run began: training on with other data would look like
    /// one run and be two.
    std::unique_ptr<Task> task() const;

    /// Call after each step: logs it, and from time to time saves the trainer's state and the timeline's steps.
    void add(const MetricPoint& point, std::span<const HeadScore> heads, const Trainer& trainer,
             const Timeline& timeline);
    /// Saves the last state, unless its step could not be logged.
    void finish(const Trainer& trainer, const Timeline& timeline);

private:
    using Clock = std::chrono::steady_clock;
    KeptRun(const TrainArgs& args, RunFolder folder, std::int64_t saved_step);
    void save(const Trainer& trainer, const Timeline& timeline);

    std::int64_t save_every_, saved_step_;
    double save_seconds_;
    RunFolder folder_;
    std::vector<TrainingState> keyframes_;
    Clock::time_point saved_at_ = Clock::now();
};

}  // namespace glassformer::app
