#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/lens_curves.h"
#include "core/analysis/tuned_lens.h"
#include "core/base/background.h"
#include "core/trace/trace.h"

namespace glassformer::app {

/// The curves of the logit lens at one position of a trace. Of a small model they are read at once, of a large one on a
/// thread of its own, layer by layer.
class LensCurvesReading {
public:
    /// Through a tuned lens where there is one.
    LensCurvesReading(const std::shared_ptr<const Trace>& trace, int position, std::shared_ptr<const TunedLens> tuned);

    bool of(const std::shared_ptr<const Trace>& trace, int position,
            const std::shared_ptr<const TunedLens>& tuned) const {
        return position == position_ && trace_.lock() == trace && tuned == tuned_;
    }
    /// Null as long as they are not read, and where why_not() says why they cannot be.
    const LensCurves* curves();
    std::string why_not() const { return done_.load(std::memory_order_acquire) ? failure_ : std::string(); }

private:
    Turn read_next(const std::stop_token& stop);

    std::weak_ptr<const Trace> trace_;  // not held: a trace keeps the memory of a run
    int position_;
    std::shared_ptr<const TunedLens> tuned_;
    std::vector<std::vector<float>> logits_;  // of the layers that are read
    std::optional<LensCurves> curves_;        // these two are read once done_ is set
    std::string failure_;
    std::atomic<bool> done_{false};
    Background thread_;  // the last member: it ends before the others do
};

/// Those of a card's chosen word; null as long as they are not read, or where the model has none. What was read is kept
/// in `reading`.
const LensCurves* lens_curves(std::shared_ptr<LensCurvesReading>& reading, const std::shared_ptr<const Trace>& trace,
                              int position, const std::shared_ptr<const TunedLens>& tuned = nullptr);

}  // namespace glassformer::app
