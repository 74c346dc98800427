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

/// The logit lens's curves at one position of a trace. Computed at once for a small model; for a large one in the
/// background, layer by layer.
class LensCurvesReading {
public:
    /// Uses the tuned lens if there is one.
    LensCurvesReading(const std::shared_ptr<const Trace>& trace, int position, std::shared_ptr<const TunedLens> tuned);

    bool of(const std::shared_ptr<const Trace>& trace, int position,
            const std::shared_ptr<const TunedLens>& tuned) const {
        return position == position_ && trace_.lock() == trace && tuned == tuned_;
    }
    /// Null until they are computed, and if they cannot be; why_not() says why.
    const LensCurves* curves();
    std::string why_not() const { return done_.load(std::memory_order_acquire) ? failure_ : std::string(); }

private:
    Turn read_next(const std::stop_token& stop);

    std::weak_ptr<const Trace> trace_;  // weak: a trace keeps the memory of a run
    int position_;
    std::shared_ptr<const TunedLens> tuned_;
    std::vector<std::vector<float>> logits_;  // of the layers read so far
    std::optional<LensCurves> curves_;        // read these two only once done_ is set
    std::string failure_;
    std::atomic<bool> done_{false};
    Background thread_;  // last member: stops before the others are destroyed
};

/// The curves of a card's chosen word; null until they are computed, or if the model has none. `reading` caches them.
const LensCurves* lens_curves(std::shared_ptr<LensCurvesReading>& reading, const std::shared_ptr<const Trace>& trace,
                              int position, const std::shared_ptr<const TunedLens>& tuned = nullptr);

}  // namespace glassformer::app
