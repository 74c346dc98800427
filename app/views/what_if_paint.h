#pragma once

#include <span>
#include <vector>

#include "app/views/head_trace.h"
#include "app/views/heat_map.h"

namespace glassformer::app {

/// Painting a row of a pattern by hand: a click on a cell gives it all the weight of its row, dragging up or down gives
/// it more or less, and the others share the rest as they did. Holds the mouse while ViewState::painting is on, or with
/// Shift. Call after the pattern is drawn; true where the mouse paints and does nothing else.
bool paint_pattern(const Frame& frame, const HeadTrace& head, const HeatMap& map, const CellHit& hit);

/// A row with `weight` on one key and the rest shared out among the others as before; evenly, where they had nothing.
/// Keys that are hidden get nothing. The row adds up to 1 unless the key is alone.
std::vector<float> repainted(std::span<const float> row, const std::vector<bool>& hidden, int key, float weight);

}  // namespace glassformer::app
