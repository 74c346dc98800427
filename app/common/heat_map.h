#pragma once

#include <span>
#include <string_view>

#include "app/ui/cell_grid.h"

/// A grid of weights from 0 to 1 in the attention colours.
namespace glassformer::app {

/// The grid: what it shows; where it stands is said by CellGrid.
struct HeatMap : CellGrid {
    std::span<const float> values;  ///< row-major
    std::span<const float> scores;  ///< where one is −∞, the cell is hidden; empty: none is
    HeatKey key;
};

/// Draws it; cells are registered as "label row column", the whole as `label`.
CellHit heat_map(const Ui& ui, std::string_view label, const HeatMap& map);

/// Words over the columns of a grid that begins at `left` with columns `pitch` wide: turned as far as it takes for
/// neighbours not to touch.
struct ColumnLabels {
    float pitch = 0;
    float max_length = 0;  ///< longer words are cut
    float degrees(const Ui& ui) const;
    /// From one column with a name to the next: upright names need most of a line each, which narrow columns do not
    /// have.
    int every(const Ui& ui) const;
    float height(const Ui& ui, float longest) const;  ///< above the grid
    /// How far the word of `width` over a column reaches to the right of that column's middle.
    float reach(const Ui& ui, float width) const;
    void draw(const Ui& ui, ImVec2 bottom_middle, std::string_view word, const draw::TextStyle& style) const;
};

}  // namespace glassformer::app
