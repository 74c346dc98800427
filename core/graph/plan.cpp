#include "core/graph/plan.h"

#include <algorithm>
#include <map>
#include <numeric>


namespace glassformer {

namespace {

// Buffers start on cache lines, so that SIMD packets are aligned and threads never share a line.
constexpr std::int64_t alignment = 16;

std::int64_t aligned(std::int64_t size) { return (size + alignment - 1) / alignment * alignment; }

std::size_t at(int id) { return static_cast<std::size_t>(id); }

bool reads_twice(const std::vector<int>& inputs) {
    for (std::size_t i = 0; i < inputs.size(); ++i)
        if (std::find(inputs.begin(), inputs.begin() + static_cast<std::ptrdiff_t>(i), inputs[i]) !=
            inputs.begin() + static_cast<std::ptrdiff_t>(i))
            return true;
    return false;
}

}  // namespace

Plan::Plan(const Graph& graph, const PlanRequest& request) {
    find_roots(graph);
    choose_ops(graph, request);
    find_gradient_order(graph);
    place(graph, share_in_place(graph, lifetimes(graph, request)));
}

bool Plan::first_gradient(int id, int input) const { return first_gradient_[at(id)][at(input)]; }

void Plan::find_roots(const Graph& graph) {
    std::vector<int> readers(graph.nodes().size());
    for (const NodeInfo& info : graph.nodes())
        for (const int input : info.inputs) ++readers[at(input)];
    for (std::size_t id = 0; id < graph.nodes().size(); ++id) {
        const NodeInfo& info = graph.nodes()[id];
        const bool op = info.kind == NodeInfo::Kind::op;
        const bool update = op && info.op->updates_first_input() && readers[at(info.inputs[0])] == 1 &&
                            graph[info.inputs[0]].kind == NodeInfo::Kind::input;
        root_.push_back(update || (op && info.op->is_view()) ? root_[at(info.inputs[0])] : static_cast<int>(id));
    }
}

// Runs only ancestors of what is requested. Gradients flow only along paths from a parameter, or from a node whose
// gradient is requested, to the loss.
void Plan::choose_ops(const Graph& graph, const PlanRequest& request) {
    const auto count = graph.nodes().size();
    std::vector<bool> wanted(count), reaches_loss(count);
    for (const int id : request.keep) wanted[at(id)] = true;
    if (request.loss >= 0) wanted[at(request.loss)] = reaches_loss[at(request.loss)] = true;
    for (int id = static_cast<int>(count) - 1; id >= 0; --id) {
        const NodeInfo& info = graph[id];
        for (std::size_t i = 0; i < info.inputs.size(); ++i) {
            if (wanted[at(id)]) wanted[at(info.inputs[i])] = true;
            if (reaches_loss[at(id)] && info.op->has_gradient(static_cast<int>(i)))
                reaches_loss[at(info.inputs[i])] = true;
        }
    }
    needs_gradient_.assign(count, false);
    std::vector<bool> has_source(count);
    for (const int id : request.gradients) has_source[at(root(id))] = true;
    for (std::size_t id = 0; id < count; ++id) {
        const NodeInfo& info = graph.nodes()[id];
        if (request.gradients.empty()) has_source[id] = info.kind == NodeInfo::Kind::parameter;
        for (std::size_t i = 0; i < info.inputs.size(); ++i)
            if (info.op->has_gradient(static_cast<int>(i)) && has_source[at(info.inputs[i])]) has_source[id] = true;
        needs_gradient_[id] = has_source[id] && reaches_loss[id];
        if (info.kind != NodeInfo::Kind::op || !wanted[id]) continue;
        forward_.push_back(static_cast<int>(id));
    }
    for (auto id = forward_.rbegin(); id != forward_.rend(); ++id)
        if (needs_gradient_[at(*id)]) backward_.push_back(*id);
}

// A view and its root share one gradient in one memory: the first writer of either overwrites, all others add.
void Plan::find_gradient_order(const Graph& graph) {
    first_gradient_.resize(graph.nodes().size());
    std::vector<bool> written(graph.nodes().size());
    for (const int id : backward_) {
        const NodeInfo& info = graph[id];
        first_gradient_[at(id)].assign(info.inputs.size(), false);
        for (std::size_t i = 0; i < info.inputs.size(); ++i) {
            const int input = info.inputs[i];
            if (!needs_gradient_[at(input)] || !info.op->has_gradient(static_cast<int>(i)) || written[at(root(input))])
                continue;
            first_gradient_[at(id)][i] = written[at(root(input))] = true;
        }
    }
}

/// The first and last step that touch each buffer.
class Plan::Lifetimes {
public:
    Lifetimes(const Graph& graph, const Plan& plan) : graph_(graph), plan_(plan) {}

    void touch_value(int id, int step) { touch(values_, false, id, step); }
    void touch_gradient(int id, int step) { touch(gradients_, true, id, step); }
    void touch_backward(int id, int step);
    std::vector<Interval> intervals() const;

private:
    using Table = std::map<int, Interval>;  // by root, so that the order is deterministic
    void touch(Table& table, bool gradient, int id, int step);

    const Graph& graph_;
    const Plan& plan_;
    Table values_, gradients_;
};

// Parameters and their gradients are outside the arena.
void Plan::Lifetimes::touch(Table& table, bool gradient, int id, int step) {
    const int root = plan_.root(id);
    if (graph_[root].kind == NodeInfo::Kind::parameter) return;
    const auto [entry, fresh] =
        table.try_emplace(root, Interval{root, gradient, graph_[root].shape.elements(), step, step});
    if (fresh) return;
    entry->second.first = std::min(entry->second.first, step);
    entry->second.last = std::max(entry->second.last, step);
}

void Plan::Lifetimes::touch_backward(int id, int step) {
    const NodeInfo& info = graph_[id];
    touch_gradient(id, step);
    if (info.op->backward_reads_output()) touch_value(id, step);
    for (std::size_t i = 0; i < info.inputs.size(); ++i) {
        const int input = info.inputs[i];
        if (info.op->backward_reads_input(static_cast<int>(i))) touch_value(input, step);
        if (plan_.needs_gradient(input) && info.op->has_gradient(static_cast<int>(i))) touch_gradient(input, step);
    }
}

std::vector<Plan::Interval> Plan::Lifetimes::intervals() const {
    std::vector<Interval> all;
    for (const auto* table : {&values_, &gradients_})
        for (const auto& [root, interval] : *table) all.push_back(interval);
    return all;
}

std::vector<Plan::Interval> Plan::lifetimes(const Graph& graph, const PlanRequest& request) const {
    const int steps = static_cast<int>(forward_.size() + backward_.size());
    Lifetimes lives(graph, *this);
    for (int id = 0; id < static_cast<int>(graph.nodes().size()); ++id) {
        if (graph[id].kind != NodeInfo::Kind::input) continue;
        lives.touch_value(id, 0);
        lives.touch_value(id, steps);
    }
    int step = 0;
    for (const int id : forward_) {
        lives.touch_value(id, step);
        for (const int input : graph[id].inputs) lives.touch_value(input, step);
        ++step;
    }
    for (const int id : backward_) lives.touch_backward(id, step++);
    for (const int id : request.keep) lives.touch_value(id, steps);
    for (const int id : request.gradients)
        if (needs_gradient(id)) lives.touch_gradient(id, steps);
    if (request.loss >= 0) {
        lives.touch_value(request.loss, steps);
        // The seed of the backward pass is written before its first step.
        lives.touch_gradient(request.loss, static_cast<int>(forward_.size()));
    }
    return lives.intervals();
}

// An op that works in place writes its output where its input was if nobody reads the input afterwards, and the input's
// gradient where the output's was. That touches less memory and keeps more of it in the cache.
std::vector<Plan::Interval> Plan::share_in_place(const Graph& graph, std::vector<Interval> intervals) {
    std::map<std::pair<int, bool>, std::size_t> index;
    for (std::size_t i = 0; i < intervals.size(); ++i) index[{intervals[i].node, intervals[i].gradient}] = i;
    std::vector<std::size_t> host(intervals.size());
    std::iota(host.begin(), host.end(), std::size_t{0});
    std::vector<int> last;  // of each host, including its guests
    for (const Interval& interval : intervals) last.push_back(interval.last);
    // `guest` begins at `step`, where `from` ends.
    const auto share = [&](int from, int guest, bool gradient, int step) {
        const auto a = index.find({root(from), gradient}), b = index.find({root(guest), gradient});
        if (a == index.end() || b == index.end() || a->second == b->second) return false;
        const Interval &ends = intervals[a->second], &begins = intervals[b->second];
        if (ends.last != step || begins.first != step || ends.size != begins.size || host[b->second] != b->second)
            return false;
        const std::size_t home = host[a->second];
        host[b->second] = home;
        last[home] = std::max(last[home], begins.last);
        shares_.push_back({begins.node, intervals[home].node, gradient});
        return true;
    };
    const auto each = [&](int id, int step, bool gradient) {
        const NodeInfo& info = graph[id];
        if (info.op->is_view() || reads_twice(info.inputs)) return;
        for (std::size_t i = 0; i < info.inputs.size(); ++i) {
            const int input = info.inputs[i];
            if (!info.op->in_place(static_cast<int>(i)) || graph[root(input)].kind != NodeInfo::Kind::op) continue;
            if (gradient ? share(id, input, true, step) : share(input, id, false, step)) return;
        }
    };
    int step = 0;
    for (const int id : forward_) each(id, step++, false);
    for (const int id : backward_) each(id, step++, true);
    std::vector<Interval> hosts;
    for (std::size_t i = 0; i < intervals.size(); ++i) {
        if (host[i] != i) continue;
        intervals[i].last = last[i];
        hosts.push_back(intervals[i]);
    }
    return hosts;
}

// Greedy by size: places the largest buffer first, each at the lowest offset where it overlaps no buffer alive at the
// same time.
void Plan::place(const Graph& graph, std::vector<Interval> intervals) {
    value_offset_.assign(graph.nodes().size(), nowhere);
    gradient_offset_.assign(graph.nodes().size(), nowhere);
    std::ranges::stable_sort(intervals, [](const Interval& a, const Interval& b) { return a.size > b.size; });
    struct Placed {
        Interval interval;
        std::int64_t begin, end;
    };
    std::vector<Placed> placed;  // sorted by begin
    for (const Interval& interval : intervals) {
        std::int64_t begin = 0;
        const std::int64_t size = aligned(std::max<std::int64_t>(interval.size, 1));
        for (const Placed& other : placed) {
            const bool together = interval.first <= other.interval.last && other.interval.first <= interval.last;
            if (together && begin < other.end && other.begin < begin + size) begin = other.end;
        }
        (interval.gradient ? gradient_offset_ : value_offset_)[at(interval.node)] = begin;
        const auto where = std::ranges::find_if(placed, [&](const Placed& p) { return p.begin > begin; });
        placed.insert(where, {interval, begin, begin + size});
        arena_size_ = std::max(arena_size_, begin + size);
    }
    for (const Share& share : shares_) {
        std::vector<std::int64_t>& offsets = share.gradient ? gradient_offset_ : value_offset_;
        offsets[at(share.node)] = offsets[at(share.host)];
    }
    for (std::size_t id = 0; id < graph.nodes().size(); ++id) {
        value_offset_[id] = value_offset_[at(root_[id])];
        gradient_offset_[id] = gradient_offset_[at(root_[id])];
    }
}

std::vector<int> readers(const Graph& graph, const PlanRequest& request) {
    std::vector<int> count(graph.nodes().size());
    const Plan plan(graph, request);
    for (const int id : plan.forward())
        for (const int input : graph[id].inputs) ++count[input];
    for (const int id : request.keep) ++count[id];
    if (request.loss >= 0) ++count[request.loss];
    return count;
}

std::vector<bool> watched_nodes(const Graph& graph, std::span<const int> forward) {
    std::vector<bool> watched(graph.nodes().size()), carried(graph.nodes().size());
    for (const int id : forward) {
        const NodeInfo& info = graph[id];
        for (std::size_t i = 0; i < info.inputs.size(); ++i)
            if (info.op->propagates_nonfinite(static_cast<int>(i))) carried[info.inputs[i]] = true;
    }
    for (const int id : forward) {
        const std::size_t at = id;
        watched[at] = !carried[at] && !graph[id].op->traits().is_mask;
    }
    return watched;
}

}  // namespace glassformer
