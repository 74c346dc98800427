#include "core/train/parameter_range.h"

#include "core/base/error.h"

namespace glassformer {

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

}  // namespace glassformer
