#pragma once

#include <span>

#include "core/train/fixed_batch.h"
#include "core/train/task.h"

namespace glassformer {

/// The training's own loss on one batch that it never sees (BatchSource::eval_batch). Its distance from the loss of the
/// training batches tells learning the language from learning sentences by heart. Not thread-safe.
class HeldOutLoss {
public:
    static constexpr int sentences = 64;

    /// For models of `config`, which read and say what the task's own does.
    HeldOutLoss(Backend& backend, const Task& task, const TransformerConfig& config);

    /// In the unit of the loss, nats per predicted word or mean squared error; dropout off.
    float measure(std::span<const float> parameters);

private:
    FixedBatch batch_;
};

}  // namespace glassformer
