#pragma once

#include <span>
#include <vector>

#include "core/graph/graph.h"

namespace glassformer {

/// Where to look for a number that is not finite, so that none of a forward pass goes unnoticed: by node, whether it is
/// an op of `forward` whose value none of the others carries on (Op::propagates_nonfinite). A scale that is divided by,
/// scores before they are hidden, logits; most values are not among them.
std::vector<bool> watched_nodes(const Graph& graph, std::span<const int> forward);

}  // namespace glassformer
