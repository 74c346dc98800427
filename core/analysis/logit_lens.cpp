#include "core/analysis/logit_lens.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "core/base/aligned.h"
#include "core/base/error.h"

namespace glassformer {

namespace {

/// The ops that are computed from `from` and lead to `to`, in order.
std::vector<int> ops_between(const Graph& graph, int from, int to) {
    std::vector<bool> follows(graph.nodes().size()), leads(graph.nodes().size());
    const auto marked = [](const std::vector<bool>& marks, int node) { return marks[static_cast<std::size_t>(node)]; };
    follows[static_cast<std::size_t>(from)] = leads[static_cast<std::size_t>(to)] = true;
    for (int node = from + 1; node <= to; ++node)
        follows[static_cast<std::size_t>(node)] =
            std::ranges::any_of(graph[node].inputs, [&](int input) { return marked(follows, input); });
    std::vector<int> ops;
    for (int node = to; node > from; --node) {
        if (!marked(leads, node) || !marked(follows, node)) continue;
        ops.push_back(node);
        for (const int input : graph[node].inputs) leads[static_cast<std::size_t>(input)] = true;
    }
    std::ranges::reverse(ops);
    return ops;
}

}  // namespace

LogitLens::LogitLens(std::shared_ptr<const Trace> trace, ThreadPool& pool) : trace_(std::move(trace)), pool_(pool) {
    const TransformerGraph& model = trace_->model();
    const Graph& graph = trace_->graph();
    if (model.config.output != OutputKind::words || model.probabilities < 0)
        throw Error("the logit lens needs a model that says a word at every position; this one does not");
    for (int layer = 0; layer <= model.config.n_layers; ++layer) {
        const std::optional<int> stream = graph.find(stream_name(layer));
        if (!stream || graph[*stream].kind != NodeInfo::Kind::op)
            throw Error("the logit lens needs a residual stream; this model has no " + stream_name(layer));
        streams_.push_back(*stream);
    }
    way_out_ = ops_between(graph, streams_.back(), model.probabilities);
    if (way_out_.empty() || std::ranges::find(way_out_, model.logits) == way_out_.end())
        throw Error("the logit lens cannot follow the last residual stream to the logits");
}

LensLayer LogitLens::layer(int layer) const {
    if (layer < 0 || layer >= layers())
        throw Error("there is no layer " + std::to_string(layer) + " in the logit lens; they go from 0 to " +
                    std::to_string(layers() - 1));
    const Graph& graph = trace_->graph();
    // On cache lines, as in an execution, so that sums are rounded in the same way.
    std::map<int, AlignedFloats> computed;
    const std::span<const float> stream = trace_->values(streams_[static_cast<std::size_t>(layer)]);
    computed[streams_.back()].assign(stream.begin(), stream.end());
    std::map<int, const float*> now{{streams_.back(), computed[streams_.back()].data()}};
    for (const int node : way_out_) {
        const NodeInfo& info = graph[node];
        std::vector<ConstView> inputs;
        for (const int input : info.inputs) {
            const auto found = now.find(input);
            inputs.push_back({found != now.end() ? found->second : trace_->values(input).data(), graph[input].shape});
        }
        if (info.op->is_view()) {
            now[node] = inputs[0].data;
            continue;
        }
        AlignedFloats& values = computed[node];
        values.resize(static_cast<std::size_t>(info.shape.elements()));
        info.op->forward({inputs, {values.data(), info.shape}, pool_});
        now[node] = values.data();
    }
    const int logits = trace_->model().logits, probabilities = trace_->model().probabilities;
    const auto copy = [&](int node) {
        return std::vector<float>(now.at(node), now.at(node) + graph[node].shape.elements());
    };
    return {trace_->positions(), static_cast<int>(graph[logits].shape.back()), copy(logits), copy(probabilities)};
}

std::vector<LensWord> top_words(const LensLayer& layer, int position, std::size_t count) {
    if (position < 0 || position >= layer.positions)
        throw Error("there is no position " + std::to_string(position) + " in the logit lens");
    const std::size_t words = static_cast<std::size_t>(layer.d_vocab), row = static_cast<std::size_t>(position) * words;
    const std::span<const float> logits = std::span(layer.logits).subspan(row, words);
    std::vector<int> ids(words);
    std::iota(ids.begin(), ids.end(), 0);
    const auto kept = ids.begin() + static_cast<std::ptrdiff_t>(std::min(count, words));
    std::ranges::partial_sort(ids, kept, [&](int a, int b) {
        const float x = logits[static_cast<std::size_t>(a)], y = logits[static_cast<std::size_t>(b)];
        return x != y ? x > y : a < b;
    });
    std::vector<LensWord> top;
    for (auto id = ids.begin(); id != kept; ++id)
        top.push_back(
            {*id, logits[static_cast<std::size_t>(*id)], layer.probabilities[row + static_cast<std::size_t>(*id)]});
    return top;
}

}  // namespace glassformer
