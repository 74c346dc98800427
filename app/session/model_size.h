#pragma once

#include <cstdint>

#include "core/nn/config.h"

namespace glassformer::app {

/// The cells of all parameters. Throws Error where such a model cannot be built.
std::int64_t parameter_count(const TransformerConfig& config);

/// What so many parameters take, in GB of 10⁹ bytes; and when they are trained as well, with Adam's two moments.
double gigabytes(std::int64_t parameters);
double gigabytes_in_training(std::int64_t parameters);

/// How long drawing so many random weights takes, judged by some that are drawn here at the first call.
double seconds_to_make(std::int64_t parameters);

/// Throws Error where the system has less memory left than their training takes: it would grant that all the same, and
/// end the program once it is used.
void require_memory_for(std::int64_t parameters);

}  // namespace glassformer::app
