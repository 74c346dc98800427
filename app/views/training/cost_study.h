#pragma once

#include <atomic>
#include <mutex>
#include <optional>
#include <vector>

#include "core/analysis/running_time.h"
#include "core/base/background.h"

namespace glassformer::app::views::training {

/// What parts of a layer took on this machine, over so many words. Milliseconds.
struct CostPoint {
    int words = 0;
    double attention = 0, mlp = 0, recurrent = 0;  // a pass over all of them
    double written = 0;                            // attention and MLP of one more word, with kept keys and values
};

/// Times the parts of one layer at growing lengths, on one thread of its own.
class CostStudy {
public:
    explicit CostStudy(const LayerSizes& sizes);

    const LayerSizes& sizes() const { return sizes_; }
    /// Those that are measured so far, ascending.
    std::vector<CostPoint> points() const;
    /// It ends after the length at which it is.
    void stop() { thread_.request_stop(); }
    bool done() const { return done_; }
    /// Why it ended early; empty where it did not. Of a study that is done.
    const std::string& error() const { return error_; }

private:
    Turn measure_next(const std::stop_token& stop);

    LayerSizes sizes_;
    mutable std::mutex mutex_;
    std::vector<CostPoint> points_;  // of the first lengths
    std::string error_;              // read once done_ is set
    std::atomic<bool> done_{false};
    Background thread_;  // the last member: it ends before the others do
};

/// What a length costs by these measurements: between two of them on the straight line of their logarithms; beyond the
/// last one as the theory says, attention with the square of the length and the others with the length.
struct EstimatedCost {
    CostPoint cost;
    bool measured_range = true;  // false beyond the last one
};
std::optional<EstimatedCost> cost_at(const std::vector<CostPoint>& points, int words);

}  // namespace glassformer::app::views::training
