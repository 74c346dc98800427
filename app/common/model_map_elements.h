#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/nn/graph_parts.h"

/// What the model map shows, read from the graph being executed: nothing here knows which model it is.
namespace glassformer::app {

/// One box or circle of the map: a part of the graph, in words.
struct MapElement : GraphPart {
    std::string label;          ///< unique: "embed", "0/ln1", "0/attn", "0/add 1", "ln_final"
    std::string title, detail;  ///< "MLP · GELU" and "256"; sizes are read from the shapes
    std::string shapes;         ///< "9 × 64 → 9 × 64", without the batch axis
};

/// All elements of one graph.
struct ModelMap {
    std::vector<MapElement> elements;  ///< in the order of execution
    bool has_stream = false;           ///< at least one residual add
    std::vector<int> element_of;       ///< by node; −1 if the map does not show the node (the loss)

    /// The element that holds a node, or null.
    const MapElement* holding(int node) const;
    /// The element with that label, or null.
    const MapElement* find(std::string_view label) const;
};

/// Builds the map from the graph. `tokens` is the name of its tokens in the language of the screen: "letters".
ModelMap make_model_map(const Graph& graph, std::string_view tokens = "words");

}  // namespace glassformer::app
