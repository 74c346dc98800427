#include "core/analysis/hook_point.h"

#include "core/base/error.h"

namespace glassformer {

namespace {

/// Whether the op takes scores or a pattern and gives one, cell for cell.
bool keeps_scores(const OpTraits& op) {
    return op.role == OpRole::attention_step || op.role == OpRole::attention_weights || op.training_only;
}

/// Scores and patterns have the axis of heads before that of queries.
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

/// One index of an axis, or the whole axis for −1.
Span chosen(const std::string& node, const char* what, int index, std::int64_t size) {
    if (index == -1) return {0, size};
    if (index < 0 || index >= size)
        throw Error(node + " has no " + what + " " + std::to_string(index) + "; they go from 0 to " +
                    std::to_string(size - 1));
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
    if (axes < 1) throw Error(site.node + " is one number for the whole sentence; it has no positions");
    if (site.head != -1 && axes != 3) throw Error(site.node + " is not divided into heads");
    const bool swapped = axes == 3 && heads_first(graph, node);
    const std::int64_t outer = shape[batched], inner = axes == 3 ? shape[batched + 1] : 1;
    const Span position = chosen(site.node, "position", site.position, swapped ? inner : outer),
               head = axes == 3 ? chosen(site.node, "head", site.head, swapped ? outer : inner) : Span{0, 1};
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
        throw Error("this place in " + site.node + " has " + std::to_string(count) + " cells; " +
                    std::to_string(values.size()) + " values were given");
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

}  // namespace glassformer
