#include "core/train/parameter_range.h"

#include <algorithm>
#include <array>

#include "core/base/error.h"

namespace glassformer {

namespace {

/// A few at a time: the first ones tell nearly always, and a matrix as its file holds it is not widened for this.
bool all_zero(const ParameterValues& parameters, const ParameterRange& range) {
    std::array<float, 64> some;
    for (std::int64_t done = 0; done < range.count; done += 64) {
        const std::span<float> part = std::span(some).first(std::min<std::int64_t>(64, range.count - done));
        parameters.copy(range.offset + done, part);
        if (std::ranges::any_of(part, [](float x) { return x != 0.0f; })) return false;
    }
    return true;
}

template <class Is>
std::vector<RemovedHead> heads_whose_output(const Graph& graph, const TransformerConfig& config, const Is& is) {
    constexpr std::string_view output = "attn.W_O";
    std::vector<RemovedHead> found;
    for (const int id : graph.parameters()) {
        const std::string& name = graph[id].name;
        if (!name.ends_with(output)) continue;
        const std::string attention = name.substr(0, name.size() - 4);
        for (int head = 0; head < config.n_heads; ++head)
            if (is(head_output(graph, config, attention, head))) found.push_back({attention, head});
    }
    return found;
}

}  // namespace

ParameterRange head_output(const Graph& graph, const TransformerConfig& config, const std::string& attention,
                           int head) {
    const std::optional<int> id = graph.find(attention + ".W_O");
    if (!id || graph[*id].kind != NodeInfo::Kind::parameter)
        throw Error("no head can be removed from " + attention + ": the model has no " + attention + ".W_O");
    if (head < 0 || head >= config.n_heads)
        throw Error(attention + " has heads 0 to " + std::to_string(config.n_heads - 1) + "; there is no head " +
                    std::to_string(head));
    const std::int64_t count = graph[*id].shape.elements() / config.n_heads;
    return {graph[*id].offset + head * count, count};
}

std::vector<RemovedHead> heads_at(const Graph& graph, const TransformerConfig& config,
                                  std::span<const ParameterRange> ranges) {
    return heads_whose_output(
        graph, config, [&](const ParameterRange& output) { return std::ranges::find(ranges, output) != ranges.end(); });
}

std::vector<RemovedHead> removed_heads(const Graph& graph, const TransformerConfig& config,
                                       const ParameterValues& parameters) {
    return heads_whose_output(graph, config,
                              [&](const ParameterRange& output) { return all_zero(parameters, output); });
}

}  // namespace glassformer
