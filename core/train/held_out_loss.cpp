#include "core/train/held_out_loss.h"

#include <utility>

namespace glassformer {

namespace {

FixedBatch held_out_batch(Backend& backend, const TransformerConfig& config, const BatchSource& source) {
    Batch batch;
    const int count = source.eval_batch(HeldOutLoss::sentences, batch);
    return {backend, config, source.shape(count), std::move(batch), {"loss"}};
}

}  // namespace

HeldOutLoss::HeldOutLoss(Backend& backend, const Task& task, const TransformerConfig& config)
    : batch_(held_out_batch(backend, config, *task.held_out())) {}

float HeldOutLoss::measure(std::span<const float> parameters) {
    batch_.run(parameters);
    return batch_.values("loss")[0];
}

}  // namespace glassformer
