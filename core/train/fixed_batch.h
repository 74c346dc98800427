#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/backend/backend.h"
#include "core/train/batch_source.h"
#include "core/train/task.h"

namespace glassformer {

/// One batch that never changes (held-out data), run forward repeatedly as the parameters change. Not thread-safe.
class FixedBatch {
public:
    /// `keep` names the nodes to read afterwards ("logits", "blocks.1.attn.hook_pattern"). Throws Error if one does not
    /// exist.
    FixedBatch(Backend& backend, const TransformerConfig& config, const BatchShape& shape, Batch batch,
               const std::vector<std::string>& keep = {"logits"});

    void run(std::span<const float> parameters);
    /// The values of a kept node after run(), row-major, batch axis first. Valid until the next run().
    std::span<const float> values(const std::string& name);
    /// The logits at one position of a row. "logits" must be kept.
    std::span<const float> logits(std::size_t row, std::size_t position);

    /// Returns the measurement, with NaN for every figure if a logit is NaN, as in a diverged model: then no answer is
    /// right or wrong. "logits" must be kept.
    Measurement nan_if_diverged(Measurement found);

    const TransformerGraph& model() const { return model_; }
    const Batch& batch() const { return batch_; }

private:
    struct Kept {
        std::string name;
        int node;
        std::vector<float> values;
        bool read = false;  // since the last run
    };

    TransformerGraph model_;
    Batch batch_;
    std::unique_ptr<Execution> run_;
    std::vector<Kept> kept_;
};

/// Index of the largest value of a row; the first one on a tie.
int argmax(std::span<const float> row);

/// The training loss on one batch that training never sees (BatchSource::eval_batch). Its gap to the loss of the
/// training batches separates learning the language from memorising sentences. Not thread-safe.
class HeldOutLoss {
public:
    static constexpr int sentences = 64;

    /// For models of `config`, which must have the same inputs and outputs as the task's own.
    HeldOutLoss(Backend& backend, const Task& task, const TransformerConfig& config)
        : HeldOutLoss(backend, *task.held_out(), config) {}
    HeldOutLoss(Backend& backend, const BatchSource& source, const TransformerConfig& config);

    /// In the unit of the loss: nats per predicted word, or mean squared error. Dropout is off.
    float measure(std::span<const float> parameters);

private:
    FixedBatch batch_;
};

}  // namespace glassformer
