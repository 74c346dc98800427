#include "core/graph/watched_nodes.h"

namespace glassformer {

std::vector<bool> watched_nodes(const Graph& graph, std::span<const int> forward) {
    std::vector<bool> watched(graph.nodes().size()), carried(graph.nodes().size());
    for (const int id : forward) {
        const NodeInfo& info = graph[id];
        for (std::size_t i = 0; i < info.inputs.size(); ++i)
            if (info.op->propagates_nonfinite(static_cast<int>(i)))
                carried[static_cast<std::size_t>(info.inputs[i])] = true;
    }
    for (const int id : forward) {
        const auto at = static_cast<std::size_t>(id);
        watched[at] = !carried[at] && !graph[id].op->traits().hides_cells;
    }
    return watched;
}

}  // namespace glassformer
