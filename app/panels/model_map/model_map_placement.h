#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "app/common/model_map_elements.h"
#include "core/nn/config.h"

/// Places the elements of the model map, one below the other, within a given height. Lengths are pixels at 100 %.
namespace glassformer::app {

/// Heights of the map's elements.
struct MapHeights {
    float box, gap, add, block_name, block_pad, block_gap, label, thumb, head_name;
};

/// A vertical range, measured from the top of the map.
struct MapSpan {
    float top = 0, bottom = 0;
    float middle() const { return std::round((top + bottom) / 2); }
};

/// The frame around the elements of one block.
struct MapBlock {
    int block = -1;
    bool encoder = false;  ///< on the side that reads the source sentence
    MapSpan span;
};

/// The places of all elements of one map.
struct MapPlacement {
    MapHeights heights{};
    std::vector<MapSpan> elements;  ///< indexed like ModelMap::elements
    std::vector<MapBlock> blocks;
    float height = 0;
};

/// Gap between the patterns of two heads.
inline constexpr float map_thumb_gap = 3;

/// Returns how many of `heads` patterns fit side by side in `room`.
int heads_per_row(float room, int heads);

/// Returns the map's minimum height if its boxes are `room` wide.
float least_map_height(const ModelMap& map, float room);
/// Fills `height` if possible: the map keeps its minimum height if `height` is less, and stretches only up to a limit.
MapPlacement place_model_map(const ModelMap& map, float room, float height);

/// The model that a map shows. What its parts do depends on its inputs and outputs.
struct MappedModel {
    const TransformerConfig& config;
    std::string token, tokens;  ///< words for one of its tokens, and for several: "letter", "letters"
};

/// Returns an element's tooltip: its title, its sizes, how many parameters it learned and one sentence of plain
/// English.
std::string map_tooltip(const MapElement& element, const MappedModel& model);

}  // namespace glassformer::app
