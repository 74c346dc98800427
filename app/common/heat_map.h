#pragma once

#include <span>
#include <string_view>

#include "app/ui/cell_grid.h"

/// A grid of weights from 0 to 1 in the attention colours.
namespace glassformer::app {

/// The grid's contents; CellGrid says where it is.
struct HeatMap : CellGrid {
    std::span<const float> values;  ///< row-major
    std::span<const float> scores;  ///< a cell whose score is −∞ is hidden; empty: none is
    HeatKey key;
};

/// Draws the map. Registers cells as "label row column", the whole as `label`.
CellHit heat_map(const Ui& ui, std::string_view label, const HeatMap& map);

/// Words over the columns of a grid, which are `pitch` wide; rotated far enough that neighbours do not touch.
struct ColumnLabels {
    float pitch = 0;
    float max_length = 0;  ///< longer words are cut
    float degrees(const Ui& ui) const;
    /// Label every nth column: an upright name needs most of a line's height, which narrow columns do not have.
    int every(const Ui& ui) const;
    float height(const Ui& ui, float longest) const;  ///< height above the grid
    /// How far a word of `width` over a column extends to the right of the column's centre.
    float reach(const Ui& ui, float width) const;
    void draw(const Ui& ui, ImVec2 bottom_middle, std::string_view word, const draw::TextStyle& style) const;
};

}  // namespace glassformer::app
