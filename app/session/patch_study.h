#pragma once

#include <array>
#include <memory>
#include <optional>

#include "app/session/command.h"
#include "app/session/snapshot.h"

namespace glassformer::app {

/// A patch grid that is being filled, a slice at a time. Not thread-safe; what it shows is.
class PatchStudyAtWork {
public:
    /// Of the sentences as they are now, without what-ifs. Where no grid can be made of them, it says why.
    PatchStudyAtWork(Backend& backend, const command::AskPatchGrid& asked,
                     const std::array<WatchedSentence, 2>& sentences, std::int64_t step);

    bool under_way() const { return shown_->under_way(); }
    /// One run, and more for as long as `seconds` have not passed.
    void work_for(double seconds);
    std::shared_ptr<const PatchStudy> shown() const { return shown_; }

private:
    void start(Backend& backend, const std::array<WatchedSentence, 2>& sentences, PatchStudy& study);

    std::shared_ptr<const Trace> a_, b_;  // the run outlives neither
    std::optional<PatchGridRun> run_;
    std::shared_ptr<const PatchStudy> shown_;
};

}  // namespace glassformer::app
