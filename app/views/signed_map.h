#pragma once

#include <span>
#include <string_view>

#include "app/ui/controls.h"

/// A grid of signed numbers: blue below zero, red above, neutral between.
namespace glassformer::app {

/// The grid: what it shows and where it stands.
struct SignedMap {
    int rows = 0, columns = 0;
    std::span<const float> values;  ///< row r begins at r · stride
    std::ptrdiff_t stride = 0;
    float range = 1;  ///< |value| of the full colour
    ImVec2 min;       ///< of the first cell
    ImVec2 pitch;     ///< from one cell to the next
    int lit_row = -1, lit_column = -1;
    bool cells_are_items = true;  ///< small pictures of many cells are one item

    float value(int row, int column) const {
        return values[static_cast<std::size_t>(row * stride + static_cast<std::ptrdiff_t>(column))];
    }
    ImVec2 max() const {
        return {min.x + pitch.x * static_cast<float>(columns), min.y + pitch.y * static_cast<float>(rows)};
    }
    /// The box of one cell.
    void cell(const Ui& ui, int row, int column, ImVec2& from, ImVec2& to) const;
};

/// What the mouse does to it in this frame.
struct SignedMapHit {
    int row = -1, column = -1;  ///< under the mouse; −1 when none
    bool clicked = false;
};

/// Draws the cells that can be seen in the current window; they are registered as "label row column", the whole as
/// `label`.
SignedMapHit signed_map(const Ui& ui, std::string_view label, const SignedMap& map);

/// Lights the row and column under the mouse, for a grid whose cells no other view shows. Call before drawing.
void light_under_mouse(SignedMap& map);

/// A gold frame around some cells.
void frame_cells(const Ui& ui, const SignedMap& map, int row, int column, int rows, int columns);

/// Largest |value| of a grid, for SignedMap::range; 1 where all are 0.
float largest_magnitude(const SignedMap& map);

}  // namespace glassformer::app
