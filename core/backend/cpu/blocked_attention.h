#pragma once

#include <memory>

#include "core/graph/graph.h"
#include "core/graph/plan.h"

namespace glassformer {

/// The same graph with attention over long sentences as one op that takes a few queries at a time, so that no table of
/// queries × keys is stored and its rows stay in the cache. The numbers are the same bytes. Ids, names and parameters
/// stay as they are.
///
/// A chain attention_scores → steps (ScoreStep: a scale, masks, softmax …) → attention_values is replaced when its
/// table has at least `from` × `from` cells, the request has no loss and does not watch, and no node within it is asked
/// for or read by any other op that runs. The given graph itself when nothing is replaced. `lanes`: how many threads
/// may work at once. The op keeps the memory that it works in, so the graph is for one execution.
std::shared_ptr<const Graph> block_attention(std::shared_ptr<const Graph> graph, const PlanRequest& request,
                                             std::int64_t from, int lanes);

/// Below this the table of a head is as fast: it stays in the cache anyway.
inline constexpr std::int64_t blocks_from = 256;

}  // namespace glassformer
