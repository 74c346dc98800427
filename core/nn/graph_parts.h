#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/graph/graph.h"

/// Reads a graph back into the parts that a person knows by one name: attention, MLP, LayerNorm, residual stream. It
/// looks at the ops alone, so that it serves any arrangement of them and knows no model.
namespace glassformer {

/// What a part is called.
enum class PartKind {
    embed,
    layer_norm,
    attention,
    mlp,
    residual_add,
    sum,
    recurrent,
    linear,  ///< a linear map, and the function that follows it
    pooler,  ///< one vector for a whole sentence, made of one row
    unembed,
    softmax,
    other
};

/// Some ops of the graph that belong together, with the parameters that they read.
struct GraphPart {
    PartKind kind = PartKind::other;
    int block = -1;          ///< from the standard names "blocks.L. …"; −1 outside the blocks
    bool encoder = false;    ///< of the source side of an encoder–decoder ("encoder. …")
    int main = -1;           ///< the node that the rest of the model reads
    int source = -1;         ///< the first op of another part that it reads, or −1
    std::vector<int> nodes;  ///< every node of it, ascending; a shared parameter belongs to its first reader
    std::int64_t parameters = 0;
    std::string shared;           ///< parameter that another part owns ("embed.W_E" for tied words), or empty
    int heads = 0, pattern = -1;  ///< attention: how many heads, and the node of their weights

    // Wiring, as indices into GraphParts::parts.
    std::vector<int> reads;     ///< parts whose result it takes and that do not lie on the residual stream
    bool reads_stream = false;  ///< takes the residual stream itself
    bool on_stream = false;     ///< its result is the residual stream (the embedding; LayerNorm in a post-LN block)
};

/// A whole graph in parts.
struct GraphParts {
    std::vector<GraphPart> parts;  ///< in the order of execution
    bool has_stream = false;       ///< at least one residual add
    std::vector<int> part_of;      ///< by node; −1 where it belongs to none (the loss)
};

/// Gives every op that leads to the last one to one part, and wires the parts.
GraphParts find_parts(const Graph& graph);

}  // namespace glassformer
