#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "core/base/background.h"
#include "core/train/task.h"
#include "core/train/timeline.h"

namespace glassformer {

/// The plan of one training run: the model, and how it is trained.
struct PlannedRun {
    TransformerConfig config;
    TrainOptions options;  // schedule.total is the number of steps
};

/// The last reported state of a training of SideBySide. Immutable parts are shared.
struct SideRun {
    enum class State { waiting, training, done, stopped, failed };
    State state = State::waiting;
    std::int64_t step = 0;
    Parameters parameters = {};                                // at that step; null while waiting
    std::shared_ptr<const std::vector<MetricPoint>> log = {};  // null while waiting
    std::shared_ptr<const Measurement> found = {};  // at `measured_step`; null: not measured yet, or cannot be
    std::int64_t measured_step = 0;
    double seconds = 0.0;       // spent training, including measurements
    std::string failure = {};   // for State::failed: why it stopped at `step`
    std::uint64_t version = 0;  // grows with every change

    bool ended() const { return state != State::waiting && state != State::training; }
};

/// What remains of a finished training: enough to resume it and to replay it.
struct EndedRun {
    TrainingState state;
    std::vector<MetricPoint> log;
    std::vector<HeadScoresAt> heads;  // as measured; empty for a model without any
    std::vector<Timeline::Keyframe> keyframes;
};

/// Trains several models on one task, each on one thread, with as many at a time as there are cores. That is faster
/// than one after another on all cores, since a small model gives each core too little to do. The same seed gives the
/// same bytes as a Trainer alone, and the log has what `glassformer train` writes. On platforms without threads the
/// trainings take turns between frames.
///
/// A training that fails (its loss is no longer finite) ends where it was, and the others go on.
class SideBySide {
public:
    static constexpr std::size_t most_runs = 12;

    /// Starts the trainings. `at_once` = 0: one per core. `news` is called on another thread whenever a run has
    /// changed. Throws Error if there are no runs, too many, or one that a Trainer would refuse.
    SideBySide(std::shared_ptr<const Task> task, std::vector<PlannedRun> runs, int at_once = 0,
               std::function<void()> news = {});
    /// Stops the trainings in progress.
    ~SideBySide();
    SideBySide(const SideBySide&) = delete;
    SideBySide& operator=(const SideBySide&) = delete;

    std::size_t size() const { return plans_.size(); }
    const PlannedRun& plan(std::size_t run) const { return plans_[run]; }
    /// How many trainings run at the same time.
    int at_once() const { return at_once_; }
    std::vector<SideRun> runs() const;
    /// The result of a run that started and has ended; null for others.
    std::shared_ptr<const EndedRun> ended(std::size_t run) const;
    bool under_way() const;
    /// Estimated time for the rest; −1 if unknown.
    double seconds_left() const;
    /// Starts no more runs; those in progress end after their current step.
    void stop() { stopping_ = true; }
    /// Blocks until all runs have ended.
    void wait();

private:
    class Lane;

    /// The next waiting run; −1: none.
    int claim();
    void tell(std::size_t run, const std::function<void(SideRun&)>& change);
    void end(std::size_t run, SideRun::State state, const std::string& failure, std::shared_ptr<const EndedRun> left);
    void lose_lane(const std::string& why);

    const std::shared_ptr<const Task> task_;
    const std::vector<PlannedRun> plans_;
    const std::function<void()> news_;
    int at_once_ = 1;
    std::atomic<bool> stopping_{false};

    mutable std::mutex mutex_;
    std::vector<SideRun> runs_;
    std::vector<std::shared_ptr<const EndedRun>> ended_;
    int lanes_left_ = 0;

    std::vector<Background> lanes_;  // last member: they use all of the above
};

}  // namespace glassformer
