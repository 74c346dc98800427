#include "app/common/head_trace.h"

#include <algorithm>
#include <cmath>

#include "app/common/signed_map.h"
#include "app/language/tr.h"

namespace glassformer::app {

HeadTrace::HeadTrace(const Frame& frame, const Trace& trace, int slot_index, const OfSource* of_source)
    : slot(slot_index),
      n(of_source ? trace.model().source_positions : trace.positions()),
      cross(!of_source && frame.state.cross_attention),
      source(of_source != nullptr),
      layer(of_source ? of_source->layer : frame.state.layer),
      head(of_source ? of_source->head : frame.state.head),
      query(std::clamp(of_source ? of_source->query : frame.state.token[slot_index], 0, n - 1)) {
    const std::string block = of_source ? "encoder.blocks." + std::to_string(of_source->layer) + "." : "";
    const auto values = [&](const char* name, bool pairs) {
        const int node = trace.graph().at(of_source ? block + name : hook(frame.state, name));
        const Slices wanted = pairs ? Slices{head, 1} : trace.slices(node).all();
        return Values{node, trace.part(node, wanted), static_cast<int>(trace.shape(node).back()), 0};
    };
    scores = values("attn.hook_attn_scores", true), pattern = values("attn.hook_pattern", true);
    heads = static_cast<int>(trace.shape(pattern.node)[0]);
    keys = pattern.width;
    const auto vectors = [&](const char* name) {
        Values of = values(name, false);
        SignedMap map;
        map.rows = static_cast<int>(trace.shape(of.node)[0]), map.columns = of.width;
        map.stride = static_cast<std::ptrdiff_t>(heads) * of.width;
        const std::int64_t first = vector_offset(of, 0);
        map.values = of.values.values().subspan(first - of.values.first());
        map.key = {frame.sentence(slot).trace, of.node, first};
        of.range = largest_magnitude(map);
        return of;
    };
    q = vectors("attn.hook_q"), k = vectors("attn.hook_k"), v = vectors("attn.hook_v"), z = vectors("attn.hook_z");
}

std::string HeadTrace::query_name(const Frame& frame, int query_position) const {
    const std::string word = frame.word(slot, query_position);
    if (!frame.model(slot).translates()) return word;
    const auto next = static_cast<std::size_t>(query_position) + 1;
    if (next >= frame.sentence(slot).tokens.size()) return filled(tr("{1} → ends"), {word});
    return filled(tr("{1} → writes {2}"), {word, frame.word(slot, static_cast<int>(next))});
}

bool HeadTrace::hidden(int query_position, int key) const { return std::isinf(pair(scores, query_position, key)); }

std::vector<bool> HeadTrace::hidden_keys(int query_position) const {
    std::vector<bool> all(keys);
    for (int key = 0; key < keys; ++key) all[key] = hidden(query_position, key);
    return all;
}

int HeadTrace::strongest(int query_position) const {
    int best = 0;
    for (int key = 1; key < keys; ++key)
        if (pair(pattern, query_position, key) > pair(pattern, query_position, best)) best = key;
    return best;
}

}  // namespace glassformer::app
