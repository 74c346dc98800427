#pragma once

#include "app/session/study.h"

namespace glassformer::app {

/// Masks each word of the two sentences in turn, for a model from elsewhere that fills masks, as long as somebody
/// looks: one run of the model for each word, with the changes that were made in it.
class MaskedStudy : public Study {
public:
    /// Whether somebody looks.
    void ask(bool on) { asked_ = on; }
    /// Null for models whose masked words are predicted at once.
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
