#include <algorithm>

#include "core/base/error.h"
#include "core/trace/trace.h"

namespace glassformer {

namespace {

bool is_view(const Graph& graph, int node) {
    const NodeInfo& info = graph[node];
    return info.kind == NodeInfo::Kind::op && info.op->is_view();
}

void require_unread(const Graph& graph, int node) {
    const int root = root_of(graph, node);
    for (int reader = root + 1; reader < node; ++reader)
        for (const int input : graph[reader].inputs)
            if (!is_view(graph, reader) && root_of(graph, input) == root)
                throw Error("{1} is the memory of {2}, which {3} has read before; intervene on {2} instead",
                            graph[node].name, graph[root].name, graph[reader].name);
}

}  // namespace

int root_of(const Graph& graph, int node) {
    while (is_view(graph, node)) node = graph[node].inputs[0];
    return node;
}

OverwrittenCells::OverwrittenCells(const Graph& graph, std::span<const Intervention> interventions) {
    for (const Intervention& intervention : interventions) {
        if (intervention.values.empty()) continue;
        const int root = root_of(graph, intervention.node);
        if (graph[root].kind == NodeInfo::Kind::op && graph[root].op->traits().role == OpRole::recurrent_state)
            throw Error("the states of {1} are made one from the other, so one of them cannot be set on its own",
                        graph[root].name);
        require_unread(graph, intervention.node);
        std::vector<Intervention::Range>& ranges = by_root_[root];
        ranges.insert(ranges.end(), intervention.ranges.begin(), intervention.ranges.end());
    }
}

bool OverwrittenCells::contains(int root, std::int64_t offset) const {
    const auto found = by_root_.find(root);
    return found != by_root_.end() && std::ranges::any_of(found->second, [&](const Intervention::Range& range) {
               return offset >= range.offset && offset < range.offset + range.count;
           });
}

}  // namespace glassformer
