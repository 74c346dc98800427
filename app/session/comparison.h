#pragma once

#include <memory>

#include "app/session/training_run.h"

namespace glassformer::app {

/// What the session's card B shows, and the other model if there is one. Not thread-safe.
class Comparison {
public:
    /// Chooses what to compare with. Throws Error if the other model cannot be read; the comparison then stays
    /// unchanged.
    void set(Backend& backend, const Comparing& with, const std::filesystem::path& worlds);
    /// Returns to comparing two sentences; call this when another model is opened.
    void reset();

    const Comparing& with() const { return with_; }

    /// Fills in the models and steps of sentences A and B (`step` is the one on screen). Unless two sentences are
    /// compared, derives sentence B from A; its `error` says why the other model cannot read it.
    void arrange(std::array<WatchedSentence, 2>& sentences, ActiveModel& model, TrainingRun* run, std::int64_t step);

private:
    struct OtherModel {
        OtherModel(Backend& backend, const OpenedModel& opened);

        Checkpoint checkpoint;
        std::shared_ptr<const ModelInfo> info;
        Sentences sentences;
        WatchedSentence newest;  // cached until the text changes, since the other model's parameters never do
    };

    WatchedSentence read_by_other(const WatchedSentence& first, const ModelInfo& model);

    Comparing with_;
    std::unique_ptr<OtherModel> other_;
};

}  // namespace glassformer::app
