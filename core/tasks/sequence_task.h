#pragma once

#include <memory>

#include "core/tasks/sequence_batches.h"
#include "core/train/task_definition.h"

namespace glassformer {

/// What the tasks on random sequences share: words, batches, samples, and a causal decoder of the right size. Names,
/// options and metric are left to the task.
TaskDefinition sequence_task(std::shared_ptr<const SequenceBatches> batches);

/// Held-out sentences that the metrics of these tasks measure with.
inline constexpr int held_out_sequences = 256;

/// The decoder that copying and sorting learn with, trained on their answers alone.
TaskDefinition answering_task(std::string name, std::string title, std::shared_ptr<const SequenceWorld> world,
                              const TrainOptions& options);

}  // namespace glassformer
