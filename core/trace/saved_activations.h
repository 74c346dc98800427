#pragma once

#include <cstdint>
#include <vector>

#include "core/graph/graph.h"

namespace glassformer {

/// What a trace may hold, in bytes.
struct TraceMemory {
    std::int64_t kept = std::int64_t{192} << 20;  // of what the run of the model leaves behind
    std::int64_t parts = std::int64_t{96} << 20;  // of what was looked at last and had not been left behind
};

/// Which of the ops that lead to an answer a run keeps: all, when they fit into the budget. Otherwise those that cannot
/// be made a run at a time (attention's mix z), the sums along the residual stream, single numbers of positions, and
/// the products that heads are made of (queries, keys and values); these are kept whatever they take. What is left of
/// the budget goes to the matrix products, those with the most multiply-adds per cell first; what is made cell by cell
/// (norms, activations, softmax) is always made again.
std::vector<int> select_saved_activations(const Graph& graph, const std::vector<int>& leading_to_answer,
                                          std::int64_t budget);

}  // namespace glassformer
