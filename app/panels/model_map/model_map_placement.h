#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "app/common/model_map_elements.h"
#include "core/nn/config.h"

/// Where the elements of the model map stand, in pixels at 100 %: one below the other, in a height that is given.
namespace glassformer::app {

/// Heights of what the map is made of.
struct MapHeights {
    float box, gap, add, block_name, block_pad, block_gap, label, thumb, head_name;
};

/// From top to bottom, below the map's first pixel.
struct MapSpan {
    float top = 0, bottom = 0;
    float middle() const { return std::round((top + bottom) / 2); }
};

/// The frame around the elements of one block.
struct MapBlock {
    int block = -1;
    bool encoder = false;  ///< of the side that reads the source sentence
    MapSpan span;
};

/// The places of everything on one map.
struct MapPlacement {
    MapHeights heights{};
    std::vector<MapSpan> elements;  ///< as ModelMap::elements
    std::vector<MapBlock> blocks;
    float height = 0;
};

/// Space between two heads' patterns.
inline constexpr float map_thumb_gap = 3;

/// How many of `heads` patterns fit side by side in `room`.
int heads_per_row(float room, int heads);

/// The lowest that the map can be where its boxes are `room` wide.
float least_map_height(const ModelMap& map, float room);
/// Fills `height` where it can: a low one gets the least height, a high one is not stretched beyond measure.
MapPlacement place_model_map(const ModelMap& map, float room, float height);

/// Of which model a map is: what its parts do depends on what it reads and says.
struct MappedModel {
    const TransformerConfig& config;
    std::string token, tokens;  ///< what people call one of its tokens, and several: "letter", "letters"
};

/// What the tooltip of an element says: its title, its sizes, what it learned and one sentence of plain English.
std::string map_tooltip(const MapElement& element, const MappedModel& model);

}  // namespace glassformer::app
