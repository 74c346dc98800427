#pragma once

#include "app/session/study.h"

namespace glassformer::app {

/// For a model from elsewhere that fills masks, masks each word of the two sentences in turn while somebody looks: one
/// run of the model for each word, with the user's changes.
class MaskedStudy : public Study {
public:
    /// Whether somebody looks.
    void ask(bool on) { asked_ = on; }
    /// Gives null for models whose masked words are predicted immediately (WatchedSentence::masked_probabilities).
    void show(Snapshot& snapshot, const Subject& of) override;
    bool under_way() const override;
    void work(const Subject& of) override;
    bool waited_for() const override { return false; }
    void forget() override { shown_ = {}; }

private:
    bool asked_ = false;
    std::array<std::shared_ptr<const MaskedSurprise>, 2> shown_;
};

}  // namespace glassformer::app
