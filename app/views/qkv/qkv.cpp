#include "app/views/qkv/qkv.h"

#include "core/graph/hook_names.h"

namespace glassformer::app::views::qkv {

namespace {

std::optional<QkvMatrix> matrix(const Frame& frame, const Trace& trace, char letter, const char* name) {
    const Graph& graph = trace.graph();
    const auto node = graph.find(hook(frame.state, std::string("attn.hook_") + letter));
    if (!node || trace.shape(*node).rank() != 3) return {};
    const Shape shape = trace.shape(*node);
    QkvMatrix m;
    m.letter = letter, m.name = name, m.node = *node;
    m.of_source = node_place(graph[*node].name).of_source();
    m.words = static_cast<int>(shape[0]), m.width = static_cast<int>(shape[2]);
    m.stride = shape[1] * shape[2];
    m.first = std::min<std::int64_t>(frame.state.head, shape[1] - 1) * shape[2];
    // Three projections, one for all three roles, or none.
    for (const std::string& end : {std::string(1, static_cast<char>(letter - 'a' + 'A')), std::string("QKV")}) {
        const auto weights = graph.find(hook(frame.state, "attn.W_" + end));
        if (!weights) continue;
        m.weights = "W_" + end, m.weights_in = graph[*weights].shape[0];
        m.bias = graph.find(hook(frame.state, "attn.b_" + end)).has_value();
        break;
    }
    return m;
}

}  // namespace

SignedMap QkvMatrix::map(const std::shared_ptr<const Trace>& trace) const {
    SignedMap map;
    map.rows = words, map.columns = width, map.stride = static_cast<std::ptrdiff_t>(stride);
    map.values = trace->values(node).subspan(first);
    map.key = {trace, node, first};
    map.range = largest_magnitude(map);
    return map;
}

std::optional<std::array<QkvMatrix, 3>> qkv_matrices(const Frame& frame, int slot) {
    const Trace& trace = *frame.trace(slot);
    const auto q = matrix(frame, trace, 'q', "query"), k = matrix(frame, trace, 'k', "key"),
               v = matrix(frame, trace, 'v', "value");
    if (!q || !k || !v) return {};
    return std::array{*q, *k, *v};
}

ImU32 qkv_colour(const Theme& t, char letter) { return letter == 'q' ? t.query : letter == 'k' ? t.key : t.value; }

ImU32 qkv_text_colour(const Theme& t, char letter) {
    return letter == 'q' ? t.query_text : letter == 'k' ? t.key_text : t.value_text;
}

}  // namespace glassformer::app::views::qkv
