#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/graph/graph.h"

/// Groups a graph into the parts that have familiar names: attention, MLP, LayerNorm, residual stream. It looks only at
/// the ops, so it works for any arrangement of them and needs no knowledge of the model.
namespace glassformer {

/// The kind of a part.
enum class PartKind {
    embed,
    layer_norm,
    attention,
    mlp,
    residual_add,
    sum,
    recurrent,
    linear,  ///< a linear map and the activation after it
    pooler,  ///< one vector for a whole sentence, computed from one row
    unembed,
    softmax,
    other
};

/// A group of ops, with the parameters that they read.
struct GraphPart {
    PartKind kind = PartKind::other;
    int block = -1;          ///< from the standard names "blocks.L. …"; −1 outside the blocks
    bool encoder = false;    ///< of the source side of an encoder–decoder ("encoder. …")
    int main = -1;           ///< the node that the rest of the model reads
    int source = -1;         ///< the first op of another part that it reads, or −1
    std::vector<int> nodes;  ///< all of its nodes, ascending; a shared parameter belongs to its first reader
    std::int64_t parameters = 0;
    std::string shared;           ///< a parameter owned by another part ("embed.W_E" for tied embeddings), or empty
    int heads = 0, pattern = -1;  ///< attention: the number of heads, and the node of their weights

    // Wiring, as indices into GraphParts::parts.
    std::vector<int> reads;     ///< parts whose result it reads and that are not on the residual stream
    bool reads_stream = false;  ///< reads the residual stream itself
    bool on_stream = false;     ///< its result is the residual stream (the embedding; LayerNorm in a post-LN block)
};

/// A whole graph, in parts.
struct GraphParts {
    std::vector<GraphPart> parts;  ///< in the order of execution
    bool has_stream = false;       ///< at least one residual add
    std::vector<int> part_of;      ///< by node; −1 if it belongs to none (the loss)
};

/// Assigns every op that leads to the last one to a part, and connects the parts.
GraphParts find_parts(const Graph& graph);

}  // namespace glassformer
