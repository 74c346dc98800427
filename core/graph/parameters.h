#pragma once

#include <memory>
#include <vector>

namespace glassformer {

/// All the parameters of a model in the graph's flat order, as they were at one moment; shared, never changed.
using Parameters = std::shared_ptr<const std::vector<float>>;

}  // namespace glassformer
