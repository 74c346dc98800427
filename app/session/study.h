#pragma once

#include "app/session/active_model.h"
#include "app/session/snapshot.h"

namespace glassformer::app {

class TrainingRun;

/// What a snapshot is of.
struct Subject {
    ActiveModel& model;
    CpuBackend& backend;
    TrainingRun* run = nullptr;  // at work; null where there is none
    Parameters parameters;       // of the step on screen
    std::int64_t step = 0;
    bool trains = false;    // the run
    bool training = false;  // and its newest step is on screen: the parameters change all the time
};

/// Something that the worker computes beside the training, as long as somebody wants it: commands say what, and every
/// snapshot gets what was found so far, which is immutable. The worker has a list of them. Not thread-safe.
class Study {
public:
    virtual ~Study() = default;
    /// For a snapshot whose sentences and changes are known. What is of something else is dropped, what is wanted
    /// begun.
    virtual void show(Snapshot& snapshot, const Subject& of) = 0;
    /// Whether there are pieces left.
    virtual bool under_way() const { return false; }
    /// The next piece. Throws Error saying why there will be no more; then nothing is under way.
    virtual void work(const Subject&) {}
    /// Whether a picture is to wait for what is under way.
    virtual bool waited_for() const { return true; }
    /// Another model is shown.
    virtual void forget() {}
};

}  // namespace glassformer::app
