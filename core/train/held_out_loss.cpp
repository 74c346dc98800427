#include "core/train/held_out_loss.h"

namespace glassformer {

namespace {

// Worlds that draw every batch anew have no other held-out data than draws that no training makes: its steps count from
// 1, so that step 0 is nobody's.
constexpr std::uint64_t seed = 1;
constexpr std::int64_t step_of_no_training = 0;

Batch held_out_batch(const BatchSource& source) {
    Batch batch;
    source.draw(seed, step_of_no_training, HeldOutLoss::sentences, batch);
    return batch;
}

}  // namespace

HeldOutLoss::HeldOutLoss(Backend& backend, const Task& task, const TransformerConfig& config)
    : batch_(backend, config, task.held_out()->shape(sentences), held_out_batch(*task.held_out()), {"loss"}) {}

float HeldOutLoss::measure(std::span<const float> parameters) {
    batch_.run(parameters);
    return batch_.values("loss")[0];
}

}  // namespace glassformer
