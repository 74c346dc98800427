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

Intervention zero(const TransformerGraph& model, const Site& site) {
    const float nothing = 0.0f;
    return set_cells(model, site, {&nothing, 1});
}

/// Replaces rows of a head's pattern by what `row` (scores [key], weights [key] of 0) writes.
template <class Row>
Intervention from_scores(const Trace& trace, const Site& pattern, const Row& row) {
    const Graph& graph = trace.graph();
    const int scores_node = graph[graph.at(pattern.node)].inputs[0];
    const std::vector<float> scores = values_of(trace, {graph[scores_node].name, pattern.position, pattern.head});
    const auto keys = static_cast<std::size_t>(graph[scores_node].shape.back());
    std::vector<float> weights(scores.size(), 0.0f);
    for (std::size_t r = 0; r < scores.size(); r += keys)
        row(std::span(scores).subspan(r, keys), std::span(weights).subspan(r, keys));
    return set_cells(trace.model(), pattern, weights);
}

constexpr float hidden = -std::numeric_limits<float>::infinity();

}  // namespace

Intervention ablate_head(const TransformerGraph& model, int block, int head, AttentionTo to) {
    return zero(model, {in_attention(block, to, "hook_z"), -1, head});
}

Intervention ablate_head(const TransformerGraph& model, int block, int head, std::span<const float> mean) {
    const std::string name = block_hook(block, "attn.hook_z");
    const auto width = static_cast<std::size_t>((*model.graph)[model.graph->at(name)].shape.back());
    if (mean.size() != width)
        throw Error("a head's z in " + name + " has " + std::to_string(width) + " values; " +
                    std::to_string(mean.size()) + " were given");
    return set_cells(model, {name, -1, head}, mean);
}

std::vector<float> mean_head(std::span<const std::shared_ptr<const Trace>> traces, int block, int head) {
    if (traces.empty()) throw Error("the mean of a head needs at least one sentence");
    const std::string name = block_hook(block, "attn.hook_z");
    const Graph& graph = traces[0]->graph();
    const auto width = static_cast<std::size_t>(graph[graph.at(name)].shape.back());
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

Intervention uniform_attention(const Trace& trace, int block, int head, int query, AttentionTo to) {
    return from_scores(trace, {in_attention(block, to, "hook_pattern"), query, head},
                       [](std::span<const float> scores, std::span<float> weights) {
                           const auto open = std::ranges::count_if(scores, [](float s) { return s != hidden; });
                           for (std::size_t k = 0; k < scores.size(); ++k)
                               if (scores[k] != hidden) weights[k] = 1.0f / static_cast<float>(open);
                       });
}

Intervention hard_attention(const Trace& trace, int block, int head, int query, AttentionTo to) {
    return from_scores(trace, {in_attention(block, to, "hook_pattern"), query, head},
                       [](std::span<const float> scores, std::span<float> weights) {
                           const auto best = std::ranges::max_element(scores);
                           if (*best != hidden) weights[static_cast<std::size_t>(best - scores.begin())] = 1.0f;
                       });
}

Intervention set_attention_row(const TransformerGraph& model, int block, int head, int query,
                               std::span<const float> weights, AttentionTo to) {
    const std::string name = in_attention(block, to, "hook_pattern");
    if (query < 0) throw Error("there is no query " + std::to_string(query) + " in " + name);
    const auto keys = static_cast<std::size_t>((*model.graph)[model.graph->at(name)].shape.back());
    if (weights.size() != keys)
        throw Error("a row of " + name + " has " + std::to_string(keys) + " keys; " + std::to_string(weights.size()) +
                    " weights were given");
    if (!std::ranges::all_of(weights, [](float w) { return std::isfinite(w); }))
        throw Error("the weights of " + name + " must be finite numbers");
    return set_cells(model, {name, query, head}, weights);
}

}  // namespace glassformer
