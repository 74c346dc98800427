#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <vector>

#include "app/common/frame.h"
#include "core/analysis/head_scores.h"
#include "core/analysis/pattern_mix.h"
#include "core/base/background.h"

/// The heads of the view All heads as one.
namespace glassformer::app::views::all_heads {

/// What the view shows.
struct AllHeadsLook {
    enum Page { each_page, together_page };
    enum Mix { mean, largest, rollout };
    int page = each_page;
    int mix = mean;
    int block = -1;              ///< −1: all of them
    bool without_first = false;  ///< the column of the first token is left out
    bool written_words = false;  ///< the pieces of a word are one
};

/// The mixed patterns of one sentence's blocks, made once for its trace; where it has not kept its patterns, on a
/// thread of its own.
class MixedBlocks {
public:
    MixedBlocks(const std::shared_ptr<const Trace>& trace, int layers, int heads, double own);

    bool of(const std::shared_ptr<const Trace>& trace) const { return trace_.lock() == trace; }
    /// Makes some, unless the thread does; whether there are more to come.
    bool go_on(const Trace& trace);
    int made() const { return made_.load(std::memory_order_acquire); }
    int layers() const { return static_cast<int>(blocks_.size()); }
    bool done() const { return made() == layers(); }
    /// Of a block, or of all: −1. Null as long as it is not made.
    const MixedPatterns* find(int block) const;
    /// Of the blocks that are made: [block, head] mean weight on the first token; empty for a single token.
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
    Background thread_;  // the last member: it ends before the others do
};

/// The page of all heads as one, from the top of the box on.
void draw_together(const Frame& frame, const Box& box, int slot);

}  // namespace glassformer::app::views::all_heads
