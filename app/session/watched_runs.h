#pragma once

#include <array>
#include <string>
#include <vector>

#include "app/session/sentences.h"

namespace glassformer::app {

/// A run with one token masked, and that token.
struct MaskedRun {
    std::shared_ptr<const Trace> trace;
    int token = 0;
};

/// The two watched sentences, run with and without the changes made to the model. They run again only when their text,
/// the parameters or the changes differ. Not thread-safe; the results are.
class WatchedRuns {
public:
    using Texts = std::array<std::string, 2>;
    using Both = std::array<WatchedSentence, 2>;

    explicit WatchedRuns(Sentences& sentences) : sentences_(sentences) {}

    /// Returns the sentences as snapshots show them. First undoes changes that no longer fit them.
    const Both& watch(const Texts& texts, const Parameters& parameters);
    /// Returns the last result of watch().
    const Both& watched() const { return shown_; }
    /// Runs sentence A with other parameters, say of another step, and the same changes. Call watch() first.
    WatchedSentence first_with(const Parameters& parameters);
    /// Runs a sentence with `mask` at a position and the same changes. Call watch() first.
    MaskedRun masked(int slot, int position, int mask);
    /// Replaces the changes. Throws Error naming one that does not fit the model or its sentence; the old changes then
    /// stay.
    void change(std::vector<WhatIf> changes, const Texts& texts, const Parameters& parameters);

    const std::vector<WhatIf>& changes() const { return changes_; }
    /// Returns what watch() has undone since the last call, and why; empty: nothing.
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
    /// The result of first_with() and what it was made of: while nothing changes, its trace stays the same one.
    struct OtherStep {
        Texts texts;
        Parameters parameters;
        std::vector<WhatIf> changes;
        WatchedSentence sentence;
    };
    OtherStep other_step_;
    bool shown_is_current_ = false;
    bool words_changed_ = false;  // since the changes were made
    std::string notice_;
};

}  // namespace glassformer::app
