#pragma once

#include <memory>
#include <span>
#include <vector>

#include "core/backend/backend.h"
#include "core/train/batch_source.h"

namespace glassformer {

/// The loss of each word of a batch: a forward pass of its own, so that training itself never pays for it. Not
/// thread-safe.
class TokenLosses {
public:
    /// For this model; throws Error when it has no loss.
    TokenLosses(Backend& backend, const TransformerGraph& model);

    /// In the shape of the batch's loss_weights ([batch, pos]; [batch] for classes): −log p(target), or the mean
    /// squared error of values; NaN where nothing is to be predicted (weight 0). Their mean, weighted with
    /// loss_weights, is the batch's loss as the update of number `step` saw it, dropout included. In nats. Valid until
    /// the next run().
    std::span<const float> run(std::span<const float> parameters, const Batch& batch, std::uint64_t seed,
                               std::int64_t step);

private:
    TransformerGraph model_;
    std::unique_ptr<Execution> run_;
    std::vector<float> losses_;
};

}  // namespace glassformer
