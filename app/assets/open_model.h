#pragma once

#include <string>

#include "core/io/checkpoint.h"

namespace glassformer::app {

/// The model of a checkpoint's folder or of a run's, at its newest state, or one that comes with the program. Throws
/// Error as load_checkpoint and read_run do.
Checkpoint open_model(const std::string& model);

}  // namespace glassformer::app
