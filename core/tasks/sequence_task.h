#pragma once

#include <memory>

#include "core/tasks/sequence_batches.h"
#include "core/tasks/task_parts.h"

namespace glassformer {

/// What the tasks on random sequences share: words, batches, and a causal decoder of the right size. Names, options and
/// metric are left to the task.
TaskParts sequence_task_parts(std::shared_ptr<const SequenceBatches> batches);

/// Held-out sentences that the metrics of these tasks measure with.
inline constexpr int held_out_sequences = 256;

/// The decoder that copying and sorting learn with, trained on their answers alone.
std::unique_ptr<Task> answering_task(std::string name, std::string title, std::shared_ptr<const SequenceWorld> world,
                                     const TrainOptions& options);

}  // namespace glassformer
