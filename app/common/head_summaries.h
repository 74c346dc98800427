#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <optional>
#include <vector>

#include "app/common/frame.h"
#include "app/ui/heat_texture.h"
#include "core/analysis/head_scores.h"
#include "core/base/background.h"

namespace glassformer::app {

/// Scores of one head's pattern in one sentence, and its small picture.
struct HeadSummary {
    std::optional<double> previous;   ///< mean weight on the previous word
    std::optional<double> toeplitz;   ///< share of the pattern that distances alone explain
    std::optional<double> induction;  ///< if a causal model reads a sequence that repeats
    PatternPicture picture;
};

/// Summarizes one head; `cross`: one that reads the source sentence, where no key is the previous word. A pattern that
/// the trace has not kept is computed and dropped again.
HeadSummary summarize_head(const Trace& trace, int layer, int head, bool cross = false);

/// The summaries of all heads of one trace (in a translation, of the decoder), computed once. If the trace has not kept
/// the patterns, they are computed in the background, in order.
class HeadSummaries {
public:
    /// `cross`: there are also heads that read a source sentence.
    HeadSummaries(std::shared_ptr<const Trace> trace, int layers, int heads, bool cross = false);

    int layers() const { return layers_; }
    int heads() const { return heads_; }
    bool has_cross() const { return kinds_ > 1; }
    bool of(const std::shared_ptr<const Trace>& trace) const { return trace_.lock() == trace; }
    /// The key of a head's picture; no node of a trace has it.
    HeatKey key(int layer, int head, bool cross = false) const {
        return {trace_.lock(), -2, static_cast<std::int64_t>(index(layer, head, cross))};
    }
    /// Null until it is computed.
    const HeadSummary* find(int layer, int head, bool cross = false) const {
        const std::size_t at = index(layer, head, cross);
        return at < ready_.load(std::memory_order_acquire) ? &all_[at] : nullptr;
    }
    /// True if any computed summary has an induction score.
    bool has_induction() const;
    /// Computes some, for at most a few milliseconds, unless the background task does. True if more are to come.
    bool go_on(const Trace& trace);

private:
    std::size_t index(int layer, int head, bool cross) const {
        return static_cast<std::size_t>((layer * kinds_ + (cross ? 1 : 0)) * heads_ + head);
    }
    void make_next(const Trace& trace);

    std::weak_ptr<const Trace> trace_;
    int layers_, heads_, kinds_;
    std::vector<HeadSummary> all_;
    std::atomic<std::size_t> ready_{0};  // how many are computed
    std::atomic<bool> failed_{false};    // the background task: no more will come
    Background thread_;                  // last member: stops before the others are destroyed
};

/// The summaries of the traces on screen, created when first shown.
struct HeadSummariesState {
    std::array<std::shared_ptr<HeadSummaries>, 2> of_cards;
};

/// The summaries of a sentence's trace, which must exist. Computed in the first frame that asks; for a large model over
/// several frames, so that none of them waits (this sets ViewState::more_to_compute).
const HeadSummaries& head_summaries(const Frame& frame, int slot);

}  // namespace glassformer::app
