#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/graph/graph.h"

namespace glassformer {

/// What an execution must provide.
struct PlanRequest {
    std::vector<int> keep;  // nodes whose values must still be available after the run
    int loss = -1;          // if set: run backward from this scalar to every parameter
    bool watch = false;     // let forward() check for non-finite numbers (Execution::finite)
    /// With a loss: backward goes to these nodes instead of the parameters, and keeps their gradients
    /// (Execution::gradient).
    std::vector<int> gradients = {};
};

/// The order of execution and the place of every buffer in one arena, decided once. A buffer lives from the op that
/// writes it to the last op that reads it (forward or backward); then its memory is reused.
class Plan {
public:
    static constexpr std::int64_t nowhere = -1;

    Plan(const Graph& graph, const PlanRequest& request);

    /// Ops to run forward, in order; backward() lists those to run backward, in order.
    const std::vector<int>& forward() const { return forward_; }
    const std::vector<int>& backward() const { return backward_; }
    /// Offset in floats of a node's values / gradient in the arena, or `nowhere`.
    std::int64_t value_offset(int id) const { return value_offset_[id]; }
    std::int64_t gradient_offset(int id) const { return gradient_offset_[id]; }
    /// The node whose memory this node uses. A view, or an op that updates an input in place, uses the memory of its
    /// first input; any other node is its own root. A view of a parameter has no place in the arena.
    int root(int id) const { return root_[id]; }
    bool needs_gradient(int id) const { return needs_gradient_[id]; }
    /// True if op `id`, running backward, is the first to write the gradient of its input number `input`.
    bool first_gradient(int id, int input) const;
    std::int64_t arena_size() const { return arena_size_; }

private:
    struct Interval {
        int node;
        bool gradient;
        std::int64_t size;
        int first, last;  // steps: forward ops, then backward ops
    };

    class Lifetimes;

    void find_roots(const Graph& graph);
    void choose_ops(const Graph& graph, const PlanRequest& request);
    void find_gradient_order(const Graph& graph);
    std::vector<Interval> lifetimes(const Graph& graph, const PlanRequest& request) const;
    std::vector<Interval> share_in_place(const Graph& graph, std::vector<Interval> intervals);
    void place(const Graph& graph, std::vector<Interval> intervals);

    /// A buffer that shares the place of another buffer.
    struct Share {
        int node, host;
        bool gradient;
    };

    std::vector<Share> shares_;
    std::vector<int> forward_, backward_, root_;
    std::vector<std::int64_t> value_offset_, gradient_offset_;
    std::vector<bool> needs_gradient_;
    std::vector<std::vector<bool>> first_gradient_;
    std::int64_t arena_size_ = 0;
};

/// By node: how many inputs of the ops that run for this request read it, plus one for each time that it is requested.
std::vector<int> readers(const Graph& graph, const PlanRequest& request);

/// Which nodes to check for non-finite numbers so that none in a forward pass goes unnoticed. By node: true for an op
/// of `forward` whose value no other op there propagates (Op::propagates_nonfinite). For example a scale used as a
/// divisor, scores before the mask, and logits; most nodes are not among them.
std::vector<bool> watched_nodes(const Graph& graph, std::span<const int> forward);

}  // namespace glassformer
