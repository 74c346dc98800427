#pragma once

#include <span>
#include <string_view>

#include "app/ui/cell_grid.h"

/// A grid of signed numbers: blue below zero, red above, neutral between.
namespace glassformer::app {

/// The grid's contents; CellGrid says where it is.
struct SignedMap : CellGrid {
    std::span<const float> values;  ///< row r begins at r · stride
    std::ptrdiff_t stride = 0;
    float range = 1;              ///< |value| of the full colour
    bool cells_are_items = true;  ///< false: a small picture of many cells is one item
    HeatKey key;

    float value(int row, int column) const { return values[row * stride + static_cast<std::ptrdiff_t>(column)]; }
};

/// Draws the cells visible in the current window. Registers them as "label row column", the whole as `label`.
CellHit signed_map(const Ui& ui, std::string_view label, const SignedMap& map);

/// Highlights the row and column under the mouse, for a grid whose cells no other view shows. Call before drawing.
void light_under_mouse(SignedMap& map);

/// The largest |value| of a grid, for SignedMap::range; 1 if all are 0. Cached if the grid's key has an owner.
float largest_magnitude(const SignedMap& map);

}  // namespace glassformer::app
