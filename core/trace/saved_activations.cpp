#include <algorithm>
#include <set>

#include "core/trace/trace.h"

namespace glassformer {

namespace {

std::int64_t bytes_of(const Graph& graph, int node) {
    return graph[node].shape.elements() * static_cast<std::int64_t>(sizeof(float));
}

/// Multiply-adds per cell of the node.
std::int64_t cost_of_cell(const Graph& graph, int node) {
    const NodeInfo& info = graph[node];
    const OpRole role = info.op->traits().role;
    const bool product = role == OpRole::linear || role == OpRole::unembedding || role == OpRole::attention_scores;
    return product ? graph[info.inputs[0]].shape.back() : 1;
}

/// What every view of a head needs whole: the products behind its scores (queries and keys), and those that its weights
/// mix (values).
std::set<int> roots_of_heads(const Graph& graph, const std::vector<int>& ops) {
    std::set<int> roots;
    for (const int op : ops)
        for (std::size_t i = 0; i < graph[op].inputs.size(); ++i) {
            const int root = root_of(graph, graph[op].inputs[i]);
            const Op& reader = *graph[op].op;
            const bool product = graph.role(root) == OpRole::linear;
            const bool mixed = product && reader.traits().role != OpRole::add && !reader.by_slices(graph[op].shape);
            if (mixed || reader.reads(static_cast<int>(i)) == Reads::heads_of_slice) roots.insert(root);
        }
    return roots;
}

}  // namespace

std::vector<int> select_saved_activations(const Graph& graph, const std::vector<int>& leading_to_answer,
                                          std::int64_t budget) {
    std::set<int> roots;
    for (const int node : leading_to_answer)
        if (graph[root_of(graph, node)].kind == NodeInfo::Kind::op) roots.insert(root_of(graph, node));
    std::int64_t all = 0;
    for (const int node : roots) all += bytes_of(graph, node);
    if (all <= budget) return leading_to_answer;

    const std::set<int> for_heads = roots_of_heads(graph, leading_to_answer);
    std::vector<int> kept, rest;
    for (const int node : roots) {
        const Op& op = *graph[node].op;
        const bool needed = !op.by_slices(graph[node].shape) || op.traits().role == OpRole::add ||
                            for_heads.contains(node) || SliceAxis(graph, node).width == 1;
        (needed ? kept : rest).push_back(node);
        if (needed) budget -= bytes_of(graph, node);
    }
    std::ranges::stable_sort(rest, std::greater{}, [&](int node) { return cost_of_cell(graph, node); });
    for (const int node : rest) {
        if (cost_of_cell(graph, node) == 1 || bytes_of(graph, node) > budget) continue;
        kept.push_back(node);
        budget -= bytes_of(graph, node);
    }
    return kept;
}

}  // namespace glassformer
