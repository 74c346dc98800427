#include "core/analysis/interventions.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/error.h"
#include "core/base/mark_text.h"
#include "core/graph/hook_names.h"

namespace glassformer {

namespace {

/// True if the op maps scores or a pattern to one of the same shape, cell by cell.
bool keeps_scores(const OpTraits& op) {
    return op.role == OpRole::attention_step || op.role == OpRole::attention_weights || op.training_only;
}

/// In scores and patterns the head axis comes before the query axis.
bool heads_first(const Graph& graph, int node) {
    while (graph[node].kind == NodeInfo::Kind::op) {
        const OpTraits op = graph[node].op->traits();
        if (op.role == OpRole::attention_scores) return true;
        if (!keeps_scores(op)) return false;
        node = graph[node].inputs[0];
    }
    return false;
}

struct Span {
    std::int64_t begin, end;
};

/// One index of an axis, or the whole axis for −1; `otherwise` is the message of the Error if there is no such index.
Span chosen(const std::string& node, const char* otherwise, int index, std::int64_t size) {
    if (index == -1) return {0, size};
    if (index < 0 || index >= size) throw Error(otherwise, node, index, size - 1);
    return {index, index + 1};
}

void append(std::vector<Intervention::Range>& ranges, std::int64_t offset, std::int64_t count) {
    if (!ranges.empty() && ranges.back().offset + ranges.back().count == offset)
        ranges.back().count += count;
    else
        ranges.push_back({offset, count});
}

}  // namespace

std::vector<Intervention::Range> cells_of(const TransformerGraph& model, const HookPoint& site) {
    const Graph& graph = *model.graph;
    const int node = graph.at(site.node);
    const Shape& shape = graph[node].shape;
    if (site.position == -1 && site.head == -1) return {{0, shape.elements()}};
    const bool batched = has_batch_axis(graph, node);
    const int axes = shape.rank() - batched;  // position; position, feature; position, head, feature
    if (axes < 1) throw Error("{1} is one number for the whole sentence; it has no positions", site.node);
    if (site.head != -1 && axes != 3) throw Error("{1} is not divided into heads", site.node);
    const bool swapped = axes == 3 && heads_first(graph, node);
    const std::int64_t outer = shape[batched], inner = axes == 3 ? shape[batched + 1] : 1;
    const Span position = chosen(site.node, N_("{1} has no position {2}; they go from 0 to {3}"), site.position,
                                 swapped ? inner : outer),
               head = axes == 3 ? chosen(site.node, N_("{1} has no head {2}; they go from 0 to {3}"), site.head,
                                         swapped ? outer : inner)
                                : Span{0, 1};
    const Span first = swapped ? head : position, second = swapped ? position : head;
    const std::int64_t batch = batched ? shape[0] : 1, rest = shape.elements() / (batch * outer * inner);
    std::vector<Intervention::Range> ranges;
    for (std::int64_t b = 0; b < batch; ++b)
        for (std::int64_t i = first.begin; i < first.end; ++i)
            for (std::int64_t j = second.begin; j < second.end; ++j)
                append(ranges, ((b * outer + i) * inner + j) * rest, rest);
    return ranges;
}

Intervention set_cells(const TransformerGraph& model, const HookPoint& site, std::span<const float> values) {
    Intervention result{model.graph->at(site.node), cells_of(model, site), {}};
    std::size_t count = 0;
    for (const Intervention::Range& range : result.ranges) count += static_cast<std::size_t>(range.count);
    if (values.empty() || count % values.size() != 0)
        throw Error("this place in {1} has {2} cells; {3} values were given", site.node, count, values.size());
    result.values.reserve(count);
    while (result.values.size() < count) result.values.insert(result.values.end(), values.begin(), values.end());
    return result;
}

std::vector<float> values_of(const Trace& trace, const HookPoint& site) {
    const int node = trace.graph().at(site.node);
    std::vector<float> values;
    for (const Intervention::Range& range : cells_of(trace.model(), site)) {
        const SliceView part = trace.part(node, trace.slices(node).around(range.offset, range.count));
        const std::span<const float> cells = part.cells(range.offset, range.count);
        values.insert(values.end(), cells.begin(), cells.end());
    }
    return values;
}

namespace {

std::string in_attention(int block, AttentionTo to, const char* hook) {
    return block_hook(block, to == AttentionTo::itself ? "attn." : "cross_attn.") + hook;
}

Intervention zero(const TransformerGraph& model, const HookPoint& site) {
    const float nothing = 0.0f;
    return set_cells(model, site, {&nothing, 1});
}

/// Replaces rows of a head's pattern with what `row` writes (scores [key], weights [key] initialised to 0). The pattern
/// and the scores have the same cells in the same order.
template <class Row>
Intervention from_scores(const TransformerGraph& model, std::span<const float> scores, const HookPoint& pattern,
                         const Row& row) {
    const Graph& graph = *model.graph;
    const Shape& shape = graph[graph.at(pattern.node)].shape;
    if (static_cast<std::int64_t>(scores.size()) != shape.elements())
        throw Error("{1} has {2} scores; {3} were given", pattern.node, shape.elements(), scores.size());
    const std::size_t keys = shape.back();
    std::vector<float> weights;
    for (const Intervention::Range& range : cells_of(model, pattern)) {
        const std::span<const float> seen = scores.subspan(range.offset, range.count);
        for (std::size_t r = 0; r < seen.size(); r += keys) {
            weights.resize(weights.size() + keys, 0.0f);
            row(seen.subspan(r, keys), std::span(weights).last(keys));
        }
    }
    return set_cells(model, pattern, weights);
}

std::vector<float> scores_of(const Trace& trace, int block, AttentionTo to) {
    return values_of(trace, {trace.graph()[scores_node(trace.model(), block, to)].name});
}

constexpr float hidden = -std::numeric_limits<float>::infinity();

}  // namespace

Intervention ablate_head(const TransformerGraph& model, int block, int head, AttentionTo to) {
    return zero(model, {in_attention(block, to, "hook_z"), -1, head});
}

std::vector<float> mean_row(std::span<const float> rows, std::size_t width) {
    std::vector<double> sum(width);
    for (std::size_t i = 0; i < rows.size(); ++i) sum[i % width] += static_cast<double>(rows[i]);
    const auto count = static_cast<double>(rows.size() / width);
    std::vector<float> mean(width);
    for (std::size_t i = 0; i < width; ++i) mean[i] = static_cast<float>(sum[i] / count);
    return mean;
}

Intervention ablate_attention(const TransformerGraph& model, int block, AttentionTo to) {
    return zero(model, {block_hook(block, to == AttentionTo::itself ? "hook_attn_out" : "hook_cross_attn_out")});
}

Intervention ablate_mlp(const TransformerGraph& model, int block) {
    return zero(model, {block_hook(block, "hook_mlp_out")});
}

int scores_node(const TransformerGraph& model, int block, AttentionTo to) {
    const Graph& graph = *model.graph;
    return graph[graph.at(in_attention(block, to, "hook_pattern"))].inputs[0];
}

Intervention uniform_attention(const TransformerGraph& model, std::span<const float> scores, int block, int head,
                               int query, AttentionTo to) {
    return from_scores(model, scores, {in_attention(block, to, "hook_pattern"), query, head},
                       [](std::span<const float> seen, std::span<float> weights) {
                           const auto open = std::ranges::count_if(seen, [](float s) { return s != hidden; });
                           for (std::size_t k = 0; k < seen.size(); ++k)
                               if (seen[k] != hidden) weights[k] = 1.0f / static_cast<float>(open);
                       });
}

Intervention uniform_attention(const Trace& trace, int block, int head, int query, AttentionTo to) {
    return uniform_attention(trace.model(), scores_of(trace, block, to), block, head, query, to);
}

Intervention hard_attention(const TransformerGraph& model, std::span<const float> scores, int block, int head,
                            int query, AttentionTo to) {
    return from_scores(model, scores, {in_attention(block, to, "hook_pattern"), query, head},
                       [](std::span<const float> seen, std::span<float> weights) {
                           const auto best = std::ranges::max_element(seen);
                           if (*best != hidden) weights[best - seen.begin()] = 1.0f;
                       });
}

Intervention hard_attention(const Trace& trace, int block, int head, int query, AttentionTo to) {
    return hard_attention(trace.model(), scores_of(trace, block, to), block, head, query, to);
}

Intervention set_attention_row(const TransformerGraph& model, int block, int head, int query,
                               std::span<const float> weights, AttentionTo to) {
    const std::string name = in_attention(block, to, "hook_pattern");
    if (query < 0) throw Error("there is no query {1} in {2}", query, name);
    const std::size_t keys = (*model.graph)[model.graph->at(name)].shape.back();
    if (weights.size() != keys)
        throw Error("a row of {1} has {2} keys; {3} weights were given", name, keys, weights.size());
    if (!std::ranges::all_of(weights, [](float w) { return std::isfinite(w); }))
        throw Error("the weights of {1} must be finite numbers", name);
    return set_cells(model, {name, query, head}, weights);
}

}  // namespace glassformer
