#pragma once

#include <optional>
#include <span>
#include <vector>

#include "core/backend/backend.h"
#include "core/train/batch_source.h"

namespace glassformer {

/// The means and variances that batch normalization uses outside training. After each update they move a tenth of the
/// way towards the batch's own (with the unbiased variance), as in PyTorch's BatchNorm1d.
class RunningStatistics {
public:
    static constexpr float momentum = 0.1f;

    explicit RunningStatistics(const Graph& graph);

    /// Nodes that the plan must keep; empty if the model has no batch normalization.
    const std::vector<int>& keep() const { return keep_; }
    /// Which running statistic follows which batch statistic; both are nodes of the graph.
    struct Pair {
        int of_batch, running;
        bool variance, source;  // belongs to the source sentence's words
    };
    const std::vector<Pair>& pairs() const { return pairs_; }
    /// For each pair, the factor for the batch's value (it makes a variance unbiased). Valid until the next call.
    std::span<const float> shares(const Batch& batch);
    /// Call this after run.forward(): moves the running values, which are cells of `parameters`.
    void update(const Execution& run, const Batch& batch, std::span<float> parameters);
    /// The batch value that cell `cell` of the parameters moved towards in the update after run.forward(); nothing if
    /// the cell is learned.
    std::optional<double> of_batch(const Execution& run, const Batch& batch, std::int64_t cell) const;

private:
    /// The factor that makes the variance unbiased.
    float unbiased(const Pair& pair, const Batch& batch) const;

    const Graph& graph_;
    std::vector<Pair> pairs_;
    std::vector<int> keep_;
    std::vector<float> values_, shares_;
};

}  // namespace glassformer
