#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <vector>

#include "app/common/frame.h"
#include "core/analysis/head_scores.h"
#include "core/analysis/pattern_mix.h"
#include "core/base/background.h"

/// The page of the view "All heads" that combines all heads into one pattern.
namespace glassformer::app::views::all_heads {

/// The settings of the view.
struct AllHeadsLook {
    enum Page { each_page, together_page };
    enum Mix { mean, largest, rollout };
    int page = each_page;
    int mix = mean;
    int block = -1;              ///< −1: all blocks
    bool without_first = false;  ///< leave out the column of the first token
    bool written_words = false;  ///< the tokens of a written word count as one
};

/// The mixed patterns of one sentence's blocks, computed once per trace: on a background thread if the trace has not
/// kept its patterns, else a few per frame.
class MixedBlocks {
public:
    MixedBlocks(const std::shared_ptr<const Trace>& trace, int layers, int heads, double own);

    bool of(const std::shared_ptr<const Trace>& trace) const { return trace_.lock() == trace; }
    /// Computes some more, unless the thread does that. Returns true if more are to come.
    bool go_on(const Trace& trace);
    int made() const { return made_.load(std::memory_order_acquire); }
    int layers() const { return static_cast<int>(blocks_.size()); }
    bool done() const { return made() == layers(); }
    /// The mix of one block, or of all of them (−1). Null until it is computed.
    const MixedPatterns* find(int block) const;
    /// Mean weight on the first token of a head in a block that is already computed; 0 for a single token.
    double on_first(int block, int head) const { return first_[static_cast<std::size_t>(block * heads_ + head)]; }

private:
    void make_next(const Trace& trace);

    std::weak_ptr<const Trace> trace_;
    int heads_;
    PatternMixer mixer_;
    std::vector<MixedPatterns> blocks_;
    MixedPatterns all_;
    std::vector<double> first_;
    std::atomic<int> made_{0};
    std::atomic<bool> failed_{false};  // the thread: no more will come
    Background thread_;                // the last member: it stops before the others are destroyed
};

/// Draws the page of all heads combined, from the top of the box down.
void draw_together(const Frame& frame, const Box& box, int slot);

}  // namespace glassformer::app::views::all_heads
