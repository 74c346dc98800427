#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/graph/graph.h"

/// What the model map shows, read from the graph that is being executed: nothing here knows which model it is.
namespace glassformer::app {

enum class MapKind { embed, layer_norm, attention, mlp, residual_add, sum, linear, unembed, softmax, other };

/// One box or circle of the map: some ops of the graph that a person knows by one name.
struct MapElement {
    MapKind kind = MapKind::other;
    int block = -1;             ///< from the standard names "blocks.L. …"; −1 outside the blocks
    std::string label;          ///< unique: "embed", "0/ln1", "0/attn", "0/add 1", "ln_final"
    std::string title, detail;  ///< "MLP · GELU" and "256"; sizes are read from the shapes
    std::string shapes;         ///< "9 × 64 → 9 × 64", without the batch axis
    int main = -1;              ///< the node that the rest of the model reads
    std::vector<int>
        nodes;  ///< every node that belongs to it, ascending; a shared parameter belongs to its first reader
    std::int64_t parameters = 0;
    std::string shared;           ///< parameter that another element owns ("embed.W_E" for tied words), or empty
    int heads = 0, pattern = -1;  ///< attention: how many heads, and the node of their weights

    // Wiring, as indices into ModelMap::elements.
    std::vector<int> reads;     ///< elements whose result it takes and that do not lie on the residual stream
    bool reads_stream = false;  ///< takes the residual stream itself
    bool on_stream = false;     ///< its result is the residual stream (the embedding; LayerNorm in a post-LN block)
};

struct ModelMap {
    std::vector<MapElement> elements;  ///< in the order of execution
    bool has_stream = false;           ///< at least one residual add
    std::vector<int> element_of;       ///< by node; −1 where the map does not show the node (the loss)

    /// The element that holds a node, or null.
    const MapElement* holding(int node) const;
    /// The element of that label, or null.
    const MapElement* find(std::string_view label) const;
};

ModelMap make_model_map(const Graph& graph);

/// One sentence of plain English.
std::string_view map_meaning(MapKind kind);

}  // namespace glassformer::app
