#include "core/graph/readers.h"

namespace glassformer {

std::vector<int> readers(const Graph& graph, const PlanRequest& request) {
    std::vector<int> count(graph.nodes().size());
    const Plan plan(graph, request);
    for (const int id : plan.forward())
        for (const int input : graph[id].inputs) ++count[static_cast<std::size_t>(input)];
    for (const int id : request.keep) ++count[static_cast<std::size_t>(id)];
    if (request.loss >= 0) ++count[static_cast<std::size_t>(request.loss)];
    return count;
}

}  // namespace glassformer
