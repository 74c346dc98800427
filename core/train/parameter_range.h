#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/graph/graph.h"
#include "core/graph/parameters.h"
#include "core/nn/config.h"

namespace glassformer {

/// Cells of the flat parameter vector.
struct ParameterRange {
    std::int64_t offset = 0, count = 0;

    bool operator==(const ParameterRange&) const = default;
};

/// The rows of W_O that one head writes through ([d_value, d_model] of them): with these at 0 the head adds nothing to
/// the residual stream. `attention` is the layer ("blocks.0.attn", "blocks.1.cross_attn", "encoder.blocks.0.attn").
/// Throws Error naming the layer or the head that the model does not have.
ParameterRange head_output(const Graph& graph, const TransformerConfig& config, const std::string& attention, int head);

/// A head that writes nothing.
struct RemovedHead {
    std::string attention;  // its layer, as above
    int head = 0;

    bool operator==(const RemovedHead&) const = default;
};

/// The heads whose rows of W_O are among these ranges, in the order of the graph.
std::vector<RemovedHead> heads_at(const Graph& graph, const TransformerConfig& config,
                                  std::span<const ParameterRange> ranges);
/// The heads whose rows of W_O are all 0, in the order of the graph: those that were removed.
std::vector<RemovedHead> removed_heads(const Graph& graph, const TransformerConfig& config,
                                       const ParameterValues& parameters);

}  // namespace glassformer
