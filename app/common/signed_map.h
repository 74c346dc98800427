#pragma once

#include <span>
#include <string_view>

#include "app/ui/cell_grid.h"

/// A grid of signed numbers: blue below zero, red above, neutral between.
namespace glassformer::app {

/// The grid: what it shows; where it stands is said by CellGrid.
struct SignedMap : CellGrid {
    std::span<const float> values;  ///< row r begins at r · stride
    std::ptrdiff_t stride = 0;
    float range = 1;              ///< |value| of the full colour
    bool cells_are_items = true;  ///< small pictures of many cells are one item
    HeatKey key;

    float value(int row, int column) const { return values[row * stride + static_cast<std::ptrdiff_t>(column)]; }
};

/// Draws the cells that can be seen in the current window; they are registered as "label row column", the whole as
/// `label`.
CellHit signed_map(const Ui& ui, std::string_view label, const SignedMap& map);

/// Lights the row and column under the mouse, for a grid whose cells no other view shows. Call before drawing.
void light_under_mouse(SignedMap& map);

/// Largest |value| of a grid, for SignedMap::range; 1 where all are 0. Found once for a grid whose key has an owner.
float largest_magnitude(const SignedMap& map);

}  // namespace glassformer::app
