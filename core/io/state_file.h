#pragma once

#include <filesystem>

#include "core/train/training_state.h"

namespace glassformer {

/// Writes a training's state as safetensors, by write_file_atomically: the tensors "parameters" and those of
/// "moment.m" and "moment.v" that the state has, all of one length, and in the metadata "step", "seed", "optimizer" (as
/// name_of says it) and "updates". Throws Error for a state without parameters.
void write_state(const std::filesystem::path& file, const TrainingState& state);

/// Throws Error naming the file and what is wrong in it: an optimizer that this program does not know, or moments that
/// are not those of its method. A state that was kept without moments comes back without them.
TrainingState read_state(const std::filesystem::path& file);

}  // namespace glassformer
