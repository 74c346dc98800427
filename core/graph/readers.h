#pragma once

#include <vector>

#include "core/graph/plan.h"

namespace glassformer {

/// By node: how many inputs of ops that run for this request read it, and once more each time that it is asked for.
std::vector<int> readers(const Graph& graph, const PlanRequest& request);

}  // namespace glassformer
