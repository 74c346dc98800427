#pragma once

#include <optional>
#include <span>
#include <vector>

#include "core/backend/backend.h"
#include "core/train/batch_source.h"

namespace glassformer {

/// The means and variances that batch normalization uses outside training: after each update they move a tenth of the
/// way to the batch's own (the variance without bias), as PyTorch's BatchNorm1d has it.
class RunningStatistics {
public:
    static constexpr float momentum = 0.1f;

    explicit RunningStatistics(const Graph& graph);

    /// Nodes that the plan must keep; empty for a model without batch normalization.
    const std::vector<int>& keep() const { return keep_; }
    /// What follows what: nodes of the graph.
    struct Pair {
        int of_batch, running;
        bool variance, source;  // of the source sentence's words
    };
    const std::vector<Pair>& pairs() const { return pairs_; }
    /// By pair: what the batch's value is multiplied with, which makes a variance one without bias. Valid until the
    /// next call.
    std::span<const float> shares(const Batch& batch);
    /// After run.forward(): moves the running values, which are cells of `parameters`.
    void update(const Execution& run, const Batch& batch, std::span<float> parameters);
    /// The batch's own value that cell `cell` of the parameters moved towards in the update after run.forward(); none
    /// for a cell that is learned.
    std::optional<double> of_batch(const Execution& run, const Batch& batch, std::int64_t cell) const;

private:
    /// What makes the variance one without bias.
    float unbiased(const Pair& pair, const Batch& batch) const;

    const Graph& graph_;
    std::vector<Pair> pairs_;
    std::vector<int> keep_;
    std::vector<float> values_, shares_;
};

}  // namespace glassformer
