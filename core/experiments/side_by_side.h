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

/// One of several trainings on a task: the model, and how it is trained.
struct PlannedRun {
    TransformerConfig config;
    TrainOptions options;  // schedule.total is how far it goes
};

/// A training of SideBySide as it was last told of. Immutable parts are shared.
struct SideRun {
    enum class State { waiting, training, done, stopped, failed };
    State state = State::waiting;
    std::int64_t step = 0;
    Parameters parameters = {};                                // of that step; null while it waits
    std::shared_ptr<const std::vector<MetricPoint>> log = {};  // null while it waits
    std::shared_ptr<const Measurement> found = {};  // at `measured_step`; null: not measured yet, or cannot be
    std::int64_t measured_step = 0;
    double seconds = 0.0;       // that it has trained, what was measured included
    std::string failure = {};   // of State::failed: why it went no further than `step`
    std::uint64_t version = 0;  // grows with each change

    bool ended() const { return state != State::waiting && state != State::training; }
};

/// What is left of a training that has ended: it can be gone on with, and looked back at.
struct EndedRun {
    TrainingState state;
    std::vector<MetricPoint> log;
    std::vector<HeadScoresAt> heads;  // as they were measured; empty of a model that has none
    std::vector<Timeline::Keyframe> keyframes;
};

/// Several trainings of one task, each on one thread, as many at a time as there are cores: that takes less than one
/// after the other on all cores, since a small model gives each core too little to do. The same seed gives the same
/// bytes as a Trainer alone; the log has what `glassformer train` writes. Where tasks have no threads the trainings
/// take turns between frames.
///
/// A training that fails (its loss is no number any more) ends where it was, and the others go on.
class SideBySide {
public:
    static constexpr std::size_t most_runs = 12;

    /// Begins. `at_once` = 0: one per core. `news` is called on another thread whenever a run has changed. Throws Error
    /// where there are no runs, too many, or one that a Trainer would refuse.
    SideBySide(std::shared_ptr<const Task> task, std::vector<PlannedRun> runs, int at_once = 0,
               std::function<void()> news = {});
    /// Ends what is under way.
    ~SideBySide();
    SideBySide(const SideBySide&) = delete;
    SideBySide& operator=(const SideBySide&) = delete;

    std::size_t size() const { return plans_.size(); }
    const PlannedRun& plan(std::size_t run) const { return plans_[run]; }
    /// How many train at the same time.
    int at_once() const { return at_once_; }
    std::vector<SideRun> runs() const;
    /// Of a run that has ended, and has begun; null of others.
    std::shared_ptr<const EndedRun> ended(std::size_t run) const;
    bool under_way() const;
    /// About how long the rest takes; −1 where nothing is known yet.
    double seconds_left() const;
    /// No run begins any more, and those that train end after the step that they are in.
    void stop() { stopping_ = true; }
    /// Until all have ended.
    void wait();

private:
    class Lane;

    /// The next run that waits; −1: none.
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

    std::vector<Background> lanes_;  // last: they use all of the above
};

}  // namespace glassformer
