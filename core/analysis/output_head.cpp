#include "core/analysis/output_head.h"

#include <algorithm>

#include "core/base/error.h"

namespace glassformer {

namespace {

/// The ops that depend on `from` and lead to `to`, in order.
std::vector<int> ops_between(const Graph& graph, int from, int to) {
    std::vector<bool> follows(graph.nodes().size()), leads(graph.nodes().size());
    const auto marked = [](const std::vector<bool>& marks, int node) { return marks[node]; };
    follows[from] = leads[to] = true;
    for (int node = from + 1; node <= to; ++node)
        follows[node] = std::ranges::any_of(graph[node].inputs, [&](int input) { return marked(follows, input); });
    std::vector<int> ops;
    for (int node = to; node > from; --node) {
        if (!marked(leads, node) || !marked(follows, node)) continue;
        ops.push_back(node);
        for (const int input : graph[node].inputs) leads[input] = true;
    }
    std::ranges::reverse(ops);
    return ops;
}

}  // namespace

Unembedding::Unembedding(const TransformerGraph& model) : product(model.logits) {
    const Graph& graph = *model.graph;
    if (product < 0) return;
    if (graph.role(product) == OpRole::add && graph[graph[product].inputs[1]].kind == NodeInfo::Kind::parameter) {
        bias = graph[product].inputs[1];
        product = graph[product].inputs[0];
    }
    by_word = graph.role(product) == OpRole::unembedding;
    if (!by_word && graph.role(product) != OpRole::linear) return;
    const std::vector<int>& inputs = graph[product].inputs;
    row = inputs[0], matrix = inputs[1];
    if (inputs.size() > 2) bias = inputs[2];
}

OutputHead::OutputHead(const TransformerGraph& of) : model(of) {
    const Graph& graph = *model.graph;
    if (model.config.output != OutputKind::words || model.probabilities < 0)
        throw Error("the logit lens needs a model that predicts a word at every position; this one does not");
    for (int layer = 0; layer <= model.config.n_layers; ++layer) {
        const std::optional<int> stream = graph.find(stream_name(layer));
        if (!stream || graph[*stream].kind != NodeInfo::Kind::op)
            throw Error("the logit lens needs a residual stream; this model has no {1}", stream_name(layer));
        streams.push_back(*stream);
    }
    ops = ops_between(graph, streams.back(), model.probabilities);
    if (ops.empty() || std::ranges::find(ops, model.logits) == ops.end())
        throw Error("the logit lens cannot get from the last residual stream to the logits");
}

bool OutputHead::row_by_row() const {
    const Graph& graph = *model.graph;
    return std::ranges::all_of(ops, [&](int node) { return graph[node].op->by_slices(graph[node].shape); });
}

HeadRun::HeadRun(const OutputHead& head, Slices rows, Outside outside, ThreadPool& pool)
    : head_(head), rows_(rows), outside_(std::move(outside)), pool_(pool) {}

void HeadRun::forward(const float* stream) {
    computed_.clear();
    now_.clear();
    now_[head_.streams.back()] = stream;
    for (const int node : head_.ops) run(node);
}

/// A node's shape, limited to the computed rows of one sentence.
Shape HeadRun::shape(int node) const {
    const Shape& full = graph()[node].shape;
    if (!now_.contains(node) || !has_batch_axis(graph(), node)) return full;
    std::vector<std::int64_t> sizes(full.sizes().begin(), full.sizes().end());
    sizes[0] = 1, sizes[1] = rows_.count;
    return Shape(sizes);
}

std::span<const float> HeadRun::values(int node) const {
    return {now_.at(node), static_cast<std::size_t>(shape(node).elements())};
}

std::vector<ConstView> HeadRun::inputs(int node) {
    std::vector<ConstView> views;
    for (const int input : graph()[node].inputs) {
        const auto own = now_.find(input);
        if (own == now_.end() && !read_.contains(input)) read_[input] = outside_(input);
        views.push_back({own != now_.end() ? own->second : read_.at(input), shape(input)});
    }
    return views;
}

void HeadRun::run(int node) {
    const NodeInfo& info = graph()[node];
    const std::vector<ConstView> read = inputs(node);
    now_[node] = read[0].data;
    if (info.op->is_view()) return;
    const Shape output = shape(node);
    // Aligned to cache lines as in an execution, so that sums round in the same way.
    const std::int64_t lead = rows_.first * (output.elements() / std::max<std::int64_t>(rows_.count, 1)) % 16;
    AlignedFloats& values = computed_.emplace_back(static_cast<std::size_t>(lead + output.elements()));
    now_[node] = values.data() + lead;
    info.op->forward({read, {values.data() + lead, output}, pool_});
}

std::span<const float> HeadRun::backward(std::span<const float> of_logits) {
    gradients_.clear();
    gradients_[root_of(graph(), head_.model.logits)].assign(of_logits.begin(), of_logits.end());
    const auto last = std::ranges::find(head_.ops, head_.model.logits);
    for (auto node = last + 1; node != head_.ops.begin();) run_back(*--node);
    return gradients_.at(root_of(graph(), head_.streams.back()));
}

GradientSlot HeadRun::slot(int node) {
    if (!now_.contains(node)) return {};
    const auto [place, fresh] = gradients_.try_emplace(root_of(graph(), node));
    if (fresh) place->second.resize(static_cast<std::size_t>(shape(node).elements()));
    return {place->second.data(), !fresh};
}

void HeadRun::run_back(int node) {
    const NodeInfo& info = graph()[node];
    const auto own = gradients_.find(root_of(graph(), node));
    if (info.op->is_view() || own == gradients_.end()) return;
    const std::vector<ConstView> read = inputs(node);
    std::vector<GradientSlot> slots;
    for (std::size_t i = 0; i < info.inputs.size(); ++i)
        slots.push_back(info.op->has_gradient(static_cast<int>(i)) ? slot(info.inputs[i]) : GradientSlot{});
    info.op->backward({read, {now_.at(node), shape(node)}, {own->second.data(), shape(node)}, slots, pool_});
}

}  // namespace glassformer
