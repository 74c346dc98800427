#pragma once

#include <array>
#include <memory>
#include <vector>

#include "app/session/snapshot.h"
#include "app/session/watched_runs.h"

namespace glassformer::app {

/// Masks each word of the two sentences in turn, for a model from elsewhere that fills masks, as long as somebody
/// looks: one run of the model for each word, with the changes that were made in it.
class MaskedStudy {
public:
    explicit MaskedStudy(std::shared_ptr<const ModelInfo> model) : model_(std::move(model)) {}

    /// For Snapshot::masked_surprise, of the sentences that `runs` watches: null where nobody looks, and for models
    /// whose masked words are predicted at once.
    std::array<std::shared_ptr<const MaskedSurprise>, 2> words(const WatchedRuns::Both& sentences, bool looked_at);
    /// Whether there are words left to mask.
    bool under_way() const;
    /// Masks one word, and more for as long as `seconds` have not passed.
    void work_for(double seconds, WatchedRuns& runs);

private:
    std::shared_ptr<const ModelInfo> model_;
    std::array<std::shared_ptr<const MaskedSurprise>, 2> shown_;
};

}  // namespace glassformer::app
