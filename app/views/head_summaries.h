#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "app/views/frame.h"
#include "core/analysis/head_pattern.h"

namespace glassformer::app {

/// What is to be said of one head's pattern in one sentence, and its small picture.
struct HeadSummary {
    std::optional<double> previous;   ///< mean weight on the word before
    std::optional<double> toeplitz;   ///< share of the pattern that distances alone explain
    std::optional<double> induction;  ///< where a causal model reads a sequence that repeats
    PatternPicture picture;
};

/// Those of all heads of one trace, made once for it.
struct HeadSummaries {
    std::weak_ptr<const Trace> trace;
    int layers = 0, heads = 0;
    std::size_t ready = 0;  ///< how many are made, in order
    std::vector<HeadSummary> all;

    /// Of the picture of a head; no node of a trace has this key.
    HeatKey key(int layer, int head) const { return {trace.lock(), -2, layer * heads + head}; }
    /// Null as long as it is not made.
    const HeadSummary* find(int layer, int head) const {
        const auto at = static_cast<std::size_t>(layer * heads + head);
        return at < ready ? &all[at] : nullptr;
    }
};

/// Of a sentence's trace, which is there: made in the first frame that asks; of a large model over some frames, so that
/// none of them waits (ViewState::more_to_compute is then set).
const HeadSummaries& head_summaries(const Frame& frame, int slot);

}  // namespace glassformer::app
