#include <algorithm>

#include "core/analysis/word_parts.h"
#include "core/base/thread_pool.h"

namespace glassformer {

namespace {

/// What one op passes back to a cell of an input, given these gradients of its output.
double handed_back(const Trace& trace, int node, int root, std::int64_t offset, std::span<const float> gradient) {
    const Graph& graph = trace.graph();
    const NodeInfo& info = graph[node];
    std::vector<float> output(gradient.begin(), gradient.end());
    if (trace.overwritten(node))  // the value computed there was discarded
        for (std::size_t i = 0; i < output.size(); ++i)
            if (trace.overwritten(Cell{node, static_cast<std::int64_t>(i)})) output[i] = 0.0f;
    std::vector<ConstView> inputs;
    for (std::size_t i = 0; i < info.inputs.size(); ++i) {
        const int input = info.inputs[i];
        const bool read = info.op->backward_reads_input(static_cast<int>(i));
        inputs.push_back({read ? trace.values(input).data() : nullptr, graph[input].shape});
    }
    const float* values = info.op->backward_reads_output() ? trace.values(node).data() : nullptr;
    ThreadPool pool(1);
    std::vector<float> cells(static_cast<std::size_t>(graph[root].shape.elements()));
    double part = 0.0;
    for (std::size_t i = 0; i < info.inputs.size(); ++i) {
        if (root_of(graph, info.inputs[i]) != root || !info.op->has_gradient(static_cast<int>(i))) continue;
        std::vector<GradientSlot> slots(info.inputs.size());
        slots[i] = {cells.data(), false};
        info.op->backward({inputs, {values, info.shape}, {output.data(), info.shape}, slots, pool});
        part += static_cast<double>(cells[static_cast<std::size_t>(offset)]);
    }
    return part;
}

}  // namespace

std::span<const float> NodeGradients::of(const Graph& graph, int node) const {
    const auto found = by_root_.find(root_of(graph, node));
    return found == by_root_.end() ? std::span<const float>() : found->second;
}

std::vector<NodeGradients::Way> NodeGradients::ways(const Trace& trace, const Cell& cell) const {
    const Graph& graph = trace.graph();
    const int root = root_of(graph, cell.node);
    std::vector<Way> ways;
    for (int id = 0; id < static_cast<int>(graph.nodes().size()); ++id) {
        const NodeInfo& info = graph[id];
        if (info.kind != NodeInfo::Kind::op || info.op->is_view()) continue;
        const std::span<const float> gradient = of(graph, id);
        if (!gradient.empty() && std::ranges::any_of(info.inputs, [&](int i) { return root_of(graph, i) == root; }))
            ways.push_back({id, handed_back(trace, id, root, cell.offset, gradient)});
    }
    return ways;
}

}  // namespace glassformer
