#pragma once

#include "app/session/active_model.h"
#include "app/session/snapshot.h"
#include "core/train/train_options.h"

namespace glassformer::app {

class TrainingRun;

/// What a snapshot shows.
struct Subject {
    ActiveModel& model;
    CpuBackend& backend;
    TrainingRun* run = nullptr;  // the active run; null if there is none
    Parameters parameters;       // of the step on screen
    std::int64_t step = 0;
    bool trains = false;    // the run is training
    bool training = false;  // and its newest step is on screen: the parameters keep changing
};

/// How the model shown is trained, as far as that decides which sentences are drawn: the learning rate, say, may change
/// at any step. The world's own way if there is no run.
TrainOptions drawing_of(const Subject& of);

/// Something that the worker computes beside the training, while somebody wants it. Commands say what; every snapshot
/// gets the results so far, which are immutable. The worker has a list of studies. Not thread-safe.
class Study {
public:
    virtual ~Study() = default;
    /// Fills in a snapshot whose sentences and changes are known. Drops what belongs to something else and begins what
    /// is wanted.
    virtual void show(Snapshot& snapshot, const Subject& of) = 0;
    /// Whether there is work left for work().
    virtual bool under_way() const { return false; }
    /// Does the next piece of work. Throws Error saying why there will be no more; nothing is under way then.
    virtual void work(const Subject&) {}
    /// Whether a screenshot should wait for what is under way.
    virtual bool waited_for() const { return true; }
    /// Called when another model is shown.
    virtual void forget() {}
};

}  // namespace glassformer::app
