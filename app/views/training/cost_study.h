#pragma once

#include <atomic>
#include <mutex>
#include <optional>
#include <vector>

#include "core/analysis/running_time.h"
#include "core/base/background.h"

namespace glassformer::app::views::training {

/// How long parts of a layer took on this machine for this number of words, in milliseconds.
struct CostPoint {
    int words = 0;
    double attention = 0, mlp = 0, recurrent = 0;  // one pass over all words
    double written = 0;                            // attention and MLP for one more word, with cached keys and values
};

/// Times the parts of one layer at growing lengths, on its own thread.
class CostStudy {
public:
    explicit CostStudy(const LayerSizes& sizes);

    const LayerSizes& sizes() const { return sizes_; }
    /// The points measured so far, in ascending order.
    std::vector<CostPoint> points() const;
    /// Stops after the length that is being measured.
    void stop() { thread_.request_stop(); }
    bool done() const { return done_; }
    /// Why it ended early; empty if it did not. Read it only once done().
    const std::string& error() const { return error_; }

private:
    Turn measure_next(const std::stop_token& stop);

    LayerSizes sizes_;
    mutable std::mutex mutex_;
    std::vector<CostPoint> points_;  // of the first lengths
    std::string error_;              // read once done_ is set
    std::atomic<bool> done_{false};
    Background thread_;  // the last member: it stops before the others are destroyed
};

/// Estimates the cost of a length from these measurements: between two of them on a straight line through their
/// logarithms; beyond the last one as theory says, attention with the square of the length and the rest linearly.
struct EstimatedCost {
    CostPoint cost;
    bool measured_range = true;  // false beyond the last one
};
std::optional<EstimatedCost> cost_at(const std::vector<CostPoint>& points, int words);

}  // namespace glassformer::app::views::training
