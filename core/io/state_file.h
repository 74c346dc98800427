#pragma once

#include <filesystem>

#include "core/train/training_state.h"

namespace glassformer {

/// Writes a training's state as safetensors, by write_file_atomically: the tensors "parameters" and "moment.<name>",
/// all of the parameters' length, and in the metadata "step" and "updates".
void write_state(const std::filesystem::path& file, const TrainingState& state);

/// Throws Error naming the file and what is wrong in it.
TrainingState read_state(const std::filesystem::path& file);

}  // namespace glassformer
