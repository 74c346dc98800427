#pragma once

#include <memory>

#include "app/session/training_run.h"

namespace glassformer::app {

/// The session's card B: what it is compared with, and the other model where there is one. Not thread-safe.
class Comparison {
public:
    /// Compares with something else from now on. Throws Error when the other model cannot be read; then all stays as
    /// it was.
    void set(Backend& backend, const Comparing& with, const std::filesystem::path& worlds);
    /// Two sentences again: another model is at work.
    void reset();

    const Comparing& with() const { return with_; }

    /// Fills in whose sentences A and B are and at which step (`step` is the one that is shown). Where not two
    /// sentences are compared, makes sentence B from A; its error says why the other model cannot read it.
    void arrange(std::array<WatchedSentence, 2>& sentences, ActiveModel& model, TrainingRun* run, std::int64_t step);

private:
    struct OtherModel {
        OtherModel(Backend& backend, const OpenedModel& opened);

        Checkpoint checkpoint;
        std::shared_ptr<const ModelInfo> info;
        Sentences sentences;
        WatchedSentence newest;  // its parameters never change: made again only for another text
    };

    WatchedSentence read_by_other(const WatchedSentence& first, const ModelInfo& model);

    Comparing with_;
    std::unique_ptr<OtherModel> other_;
};

}  // namespace glassformer::app
