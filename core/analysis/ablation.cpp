#include "core/analysis/ablation.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/error.h"
#include "core/graph/hook_names.h"

namespace glassformer {

namespace {

std::string in_attention(int block, AttentionTo to, const char* hook) {
    return block_hook(block, to == AttentionTo::itself ? "attn." : "cross_attn.") + hook;
}

Intervention zero(const TransformerGraph& model, const HookPoint& site) {
    const float nothing = 0.0f;
    return set_cells(model, site, {&nothing, 1});
}

/// Replaces rows of a head's pattern by what `row` (scores [key], weights [key] of 0) writes. The pattern has the cells
/// of the scores, in their order.
template <class Row>
Intervention from_scores(const TransformerGraph& model, std::span<const float> scores, const HookPoint& pattern,
                         const Row& row) {
    const Graph& graph = *model.graph;
    const Shape& shape = graph[graph.at(pattern.node)].shape;
    if (static_cast<std::int64_t>(scores.size()) != shape.elements())
        throw Error(pattern.node + " has " + std::to_string(shape.elements()) + " scores; " +
                    std::to_string(scores.size()) + " were given");
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

Intervention ablate_head(const TransformerGraph& model, int block, int head, std::span<const float> mean) {
    const std::string name = block_hook(block, "attn.hook_z");
    const std::size_t width = (*model.graph)[model.graph->at(name)].shape.back();
    if (mean.size() != width)
        throw Error("a head's z in " + name + " has " + std::to_string(width) + " values; " +
                    std::to_string(mean.size()) + " were given");
    return set_cells(model, {name, -1, head}, mean);
}

std::vector<float> mean_head(std::span<const std::shared_ptr<const Trace>> traces, int block, int head) {
    if (traces.empty()) throw Error("the mean of a head needs at least one sentence");
    const std::string name = block_hook(block, "attn.hook_z");
    const Graph& graph = traces[0]->graph();
    const std::size_t width = graph[graph.at(name)].shape.back();
    std::vector<double> sum(width);
    double rows = 0.0;
    for (const std::shared_ptr<const Trace>& trace : traces) {
        const std::vector<float> z = values_of(*trace, {name, -1, head});
        for (std::size_t i = 0; i < z.size(); ++i) sum[i % width] += static_cast<double>(z[i]);
        rows += static_cast<double>(z.size() / width);
    }
    std::vector<float> mean(width);
    for (std::size_t i = 0; i < width; ++i) mean[i] = static_cast<float>(sum[i] / rows);
    return mean;
}

Intervention ablate_attention(const TransformerGraph& model, int block, AttentionTo to) {
    return zero(model, {block_hook(block, to == AttentionTo::itself ? "hook_attn_out" : "hook_cross_attn_out")});
}

Intervention ablate_mlp(const TransformerGraph& model, int block) {
    return zero(model, {block_hook(block, "hook_mlp_out")});
}

Intervention ablate_position(const TransformerGraph& model, int position) {
    if (!model.graph->find("hook_pos_embed"))
        throw Error("this model adds no position to its embedding, so there is none to take away");
    return zero(model, {"hook_pos_embed", position});
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
    if (query < 0) throw Error("there is no query " + std::to_string(query) + " in " + name);
    const std::size_t keys = (*model.graph)[model.graph->at(name)].shape.back();
    if (weights.size() != keys)
        throw Error("a row of " + name + " has " + std::to_string(keys) + " keys; " + std::to_string(weights.size()) +
                    " weights were given");
    if (!std::ranges::all_of(weights, [](float w) { return std::isfinite(w); }))
        throw Error("the weights of " + name + " must be finite numbers");
    return set_cells(model, {name, query, head}, weights);
}

}  // namespace glassformer
