#pragma once

#include <span>

#include "core/base/thread_pool.h"

namespace glassformer {

/// √ Σ g², summed in fixed pieces so that the number of threads does not matter.
double gradient_norm(std::span<const float> gradients, ThreadPool& pool);

}  // namespace glassformer
