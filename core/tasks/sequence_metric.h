#pragma once

#include <span>

#include "core/train/fixed_batch.h"
#include "core/train/task.h"

namespace glassformer {

/// How many predicted tokens are right: of all, and sentences in which every one is.
struct RightShare {
    double tokens = 0.0, sentences = 0.0;
};

/// Compares the largest of logits [batch, pos, d_vocab] with the batch's targets wherever the loss weight is not 0.
/// Sentences without such a token do not count. Throws Error when there is none at all.
RightShare right_share(std::span<const float> logits, int d_vocab, int positions, const Batch& batch);

/// Held-out sentences of a world: the share of their tokens predicted right, and of sentences right as a whole.
class RightTokens final : public Metric {
public:
    RightTokens(Backend& backend, const TransformerConfig& config, const BatchShape& shape, Batch held_out)
        : held_out_(backend, config, shape, std::move(held_out)) {}

    Measurement measure(std::span<const float> parameters) override;

private:
    FixedBatch held_out_;
};

}  // namespace glassformer
