#pragma once

#include <cstdint>

#include "core/nn/config.h"

namespace glassformer::app {

/// Returns the number of parameters. Throws Error if such a model cannot be built.
std::int64_t parameter_count(const TransformerConfig& config);

/// Memory that this many parameters take, in GB of 10⁹ bytes; and in training, which includes Adam's two moments.
double gigabytes(std::int64_t parameters);
double gigabytes_in_training(std::int64_t parameters);

/// Estimates how long drawing this many random weights takes, from a sample drawn on the first call.
double seconds_to_make(std::int64_t parameters);

/// Throws Error if less memory is left than training this many parameters takes: the system would grant it anyway, then
/// kill the program once it is used.
void require_memory_for(std::int64_t parameters);

}  // namespace glassformer::app
