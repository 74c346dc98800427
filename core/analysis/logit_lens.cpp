#include "core/analysis/logit_lens.h"

#include <algorithm>
#include <deque>
#include <map>
#include <numeric>

#include "core/base/aligned.h"
#include "core/base/error.h"

namespace glassformer {

namespace {

/// The ops that are computed from `from` and lead to `to`, in order.
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

LogitLens::LogitLens(std::shared_ptr<const Trace> trace, ThreadPool& pool) : trace_(std::move(trace)), pool_(pool) {
    const TransformerGraph& model = trace_->model();
    const Graph& graph = trace_->graph();
    if (model.config.output != OutputKind::words || model.probabilities < 0)
        throw Error("the logit lens needs a model that predicts a word at every position; this one does not");
    for (int layer = 0; layer <= model.config.n_layers; ++layer) {
        const std::optional<int> stream = graph.find(stream_name(layer));
        if (!stream || graph[*stream].kind != NodeInfo::Kind::op)
            throw Error("the logit lens needs a residual stream; this model has no {1}", stream_name(layer));
        streams_.push_back(*stream);
    }
    unembed_ops_ = ops_between(graph, streams_.back(), model.probabilities);
    if (unembed_ops_.empty() || std::ranges::find(unembed_ops_, model.logits) == unembed_ops_.end())
        throw Error("the logit lens cannot get from the last residual stream to the logits");
}

/// The output head applied to some rows of one stream.
class LogitLens::Pass {
public:
    Pass(const LogitLens& lens, int stream, Slices rows) : lens_(lens), rows_(rows) {
        held_.push_back(lens.trace_->part(stream, rows));
        now_[lens.streams_.back()] = held_.back().values().data();
        for (const int node : lens.unembed_ops_) run(node);
    }

    std::vector<float> copy(int node, Slices rows) const {
        const std::int64_t width = graph()[node].shape.back();
        const float* first = now_.at(node) + (rows.first - rows_.first) * width;
        return {first, first + rows.count * width};
    }

private:
    const Graph& graph() const { return lens_.trace_->graph(); }

    /// A node's shape with the rows that are computed.
    Shape shape(int node) const {
        const Shape& full = graph()[node].shape;
        if (!now_.contains(node) || !has_batch_axis(graph(), node)) return full;
        std::vector<std::int64_t> sizes(full.sizes().begin(), full.sizes().end());
        sizes[1] = rows_.count;
        return Shape(sizes);
    }

    void run(int node) {
        const NodeInfo& info = graph()[node];
        std::vector<ConstView> inputs;
        for (const int input : info.inputs) {
            const auto found = now_.find(input);
            if (found == now_.end()) held_.push_back(lens_.trace_->part(input, lens_.trace_->slices(input).all()));
            inputs.push_back({found != now_.end() ? found->second : held_.back().values().data(), shape(input)});
        }
        now_[node] = inputs[0].data;
        if (info.op->is_view()) return;
        const Shape output = shape(node);
        // On cache lines, as in an execution, so that sums are rounded in the same way.
        const std::int64_t lead = rows_.first * (output.elements() / std::max<std::int64_t>(rows_.count, 1)) % 16;
        AlignedFloats& values = computed_.emplace_back(static_cast<std::size_t>(lead + output.elements()));
        now_[node] = values.data() + lead;
        info.op->forward({inputs, {values.data() + lead, output}, lens_.pool_});
    }

    const LogitLens& lens_;
    const Slices rows_;
    std::deque<SliceView> held_;
    std::deque<AlignedFloats> computed_;
    std::map<int, const float*> now_;
};

LensLayer LogitLens::rows(int layer, Slices positions) const {
    if (layer < 0 || layer >= layers())
        throw Error("there is no layer {1} in the logit lens; they go from 0 to {2}", layer, layers() - 1);
    if (positions.first < 0 || positions.count < 1 || positions.first + positions.count > trace_->positions())
        throw Error("the logit lens has positions 0 to {1} here", trace_->positions() - 1);
    const Graph& graph = trace_->graph();
    const bool row_by_row =
        std::ranges::all_of(unembed_ops_, [&](int node) { return graph[node].op->by_slices(graph[node].shape); });
    const Pass pass(*this, streams_[layer], row_by_row ? positions : Slices{0, trace_->positions()});
    const int logits = trace_->model().logits, probabilities = trace_->model().probabilities;
    return {static_cast<int>(positions.count), static_cast<int>(graph[logits].shape.back()),
            pass.copy(logits, positions), pass.copy(probabilities, positions)};
}

std::vector<LensWord> top_words(const LensLayer& layer, int position, std::size_t count) {
    if (position < 0 || position >= layer.positions)
        throw Error("there is no position {1} in the logit lens", position);
    const std::size_t words = static_cast<std::size_t>(layer.d_vocab), row = static_cast<std::size_t>(position) * words;
    const std::span<const float> logits = std::span(layer.logits).subspan(row, words);
    std::vector<int> ids(words);
    std::iota(ids.begin(), ids.end(), 0);
    const auto kept = ids.begin() + static_cast<std::ptrdiff_t>(std::min(count, words));
    std::ranges::partial_sort(ids, kept, [&](int a, int b) {
        const float x = logits[a], y = logits[b];
        return x != y ? x > y : a < b;
    });
    std::vector<LensWord> top;
    for (auto id = ids.begin(); id != kept; ++id)
        top.push_back({*id, logits[*id], layer.probabilities[row + static_cast<std::size_t>(*id)]});
    return top;
}

}  // namespace glassformer
