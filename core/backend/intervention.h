#pragma once

#include "core/backend/backend.h"

namespace glassformer {

/// Throws Error when the intervention's node is not an op that runs with this plan, its ranges leave the node's cells,
/// or it has not one value for each of them.
void check_intervention(const Graph& graph, const Plan& plan, const Intervention& i);

}  // namespace glassformer
