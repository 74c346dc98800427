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

/// What is to be said of one head's pattern in one sentence, and its small picture.
struct HeadSummary {
    std::optional<double> previous;   ///< mean weight on the word before
    std::optional<double> toeplitz;   ///< share of the pattern that distances alone explain
    std::optional<double> induction;  ///< where a causal model reads a sequence that repeats
    PatternPicture picture;
};

/// Of one head; `cross`: of those that read the source sentence, where places have no word before them. A pattern that
/// the trace has not kept is made and let go again.
HeadSummary summarize_head(const Trace& trace, int layer, int head, bool cross = false);

/// Those of all heads of one trace (of a translation's, of the side that writes), made once for it. Where the trace has
/// not kept the patterns, a thread of its own makes them, in order.
class HeadSummaries {
public:
    /// `cross`: there are heads that read a source sentence, too.
    HeadSummaries(std::shared_ptr<const Trace> trace, int layers, int heads, bool cross = false);

    int layers() const { return layers_; }
    int heads() const { return heads_; }
    bool has_cross() const { return kinds_ > 1; }
    bool of(const std::shared_ptr<const Trace>& trace) const { return trace_.lock() == trace; }
    /// Of the picture of a head; no node of a trace has this key.
    HeatKey key(int layer, int head, bool cross = false) const {
        return {trace_.lock(), -2, static_cast<std::int64_t>(index(layer, head, cross))};
    }
    /// Null as long as it is not made.
    const HeadSummary* find(int layer, int head, bool cross = false) const {
        const std::size_t at = index(layer, head, cross);
        return at < ready_.load(std::memory_order_acquire) ? &all_[at] : nullptr;
    }
    /// Whether any that is made has an induction score.
    bool has_induction() const;
    /// Makes some, for at most a few milliseconds, unless the thread does; whether there are more to come.
    bool go_on(const Trace& trace);

private:
    std::size_t index(int layer, int head, bool cross) const {
        return static_cast<std::size_t>((layer * kinds_ + (cross ? 1 : 0)) * heads_ + head);
    }
    void make_next(const Trace& trace);

    std::weak_ptr<const Trace> trace_;
    int layers_, heads_, kinds_;
    std::vector<HeadSummary> all_;
    std::atomic<std::size_t> ready_{0};  // how many are made
    Background thread_;                  // the last member: it ends before the others do
};

/// Of the traces on screen, made when they are shown.
struct HeadSummariesState {
    std::array<std::shared_ptr<HeadSummaries>, 2> of_cards;
};

/// Of a sentence's trace, which is there: made in the first frame that asks; of a large model over some frames, so that
/// none of them waits (ViewState::more_to_compute is then set).
const HeadSummaries& head_summaries(const Frame& frame, int slot);

}  // namespace glassformer::app
