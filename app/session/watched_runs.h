#pragma once

#include <array>
#include <string>
#include <vector>

#include "app/session/sentences.h"

namespace glassformer::app {

/// A run with one token masked, and which it was.
struct MaskedRun {
    std::shared_ptr<const Trace> trace;
    int token = 0;
};

/// The two sentences as they are watched, run with the changes that were made to the model and without. They are run
/// again only when their text, the parameters or the changes are others. Not thread-safe; what it returns is.
class WatchedRuns {
public:
    using Texts = std::array<std::string, 2>;
    using Both = std::array<WatchedSentence, 2>;

    explicit WatchedRuns(Sentences& sentences) : sentences_(sentences) {}

    /// The sentences as snapshots show them. Changes that do not fit them any more are taken back first.
    const Both& watch(const Texts& texts, const Parameters& parameters);
    /// What that returned last.
    const Both& watched() const { return shown_; }
    /// Sentence A with other parameters, of another step say, and with the same changes. watch() must have been called.
    WatchedSentence first_with(const Parameters& parameters);
    /// The run of a sentence with `mask` at a position, with the same changes. watch() must have been called.
    MaskedRun masked(int slot, int position, int mask);
    /// Replaces the changes. Throws Error naming one that does not fit the model or its sentence; then the old ones
    /// stay.
    void change(std::vector<WhatIf> changes, const Texts& texts, const Parameters& parameters);

    const std::vector<WhatIf>& changes() const { return changes_; }
    /// What watch() took back since this was asked last, and why; empty: nothing.
    std::string take_notice();

private:
    void read(const Texts& texts, const Parameters& parameters);
    std::string why_not(const WhatIf& change, const std::vector<WhatIf>& all);
    std::string why_not(const WhatIf& change, const std::vector<WhatIf>& all, int slot);
    void take_back_misfits();
    /// Runs a sentence again with the changes of its slot.
    void alter(WatchedSentence& sentence, int slot, const Parameters& parameters);

    Sentences& sentences_;
    std::vector<WhatIf> changes_;
    Parameters parameters_;
    Both plain_, shown_;
    std::array<bool, 2> read_{};  // whether plain_ holds a sentence yet
    bool shown_is_current_ = false;
    std::string notice_;
};

}  // namespace glassformer::app
