#pragma once

#include <span>

#include "core/base/thread_pool.h"

namespace glassformer {

/// Whether none of them is an infinity or NaN. Costs about as much as reading them; allocates nothing.
bool all_finite(std::span<const float> values, ThreadPool& pool);

}  // namespace glassformer
