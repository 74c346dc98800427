#pragma once

#include <span>
#include <string_view>

#include "app/ui/controls.h"

/// A grid of weights from 0 to 1 in the attention colours.
namespace glassformer::app {

/// The grid: what it shows and where it stands.
struct HeatMap {
    int rows = 0, columns = 0;
    std::span<const float> values;  ///< row-major
    ImVec2 min;                     ///< of the first cell
    ImVec2 pitch;                   ///< from one cell to the next
    int lit_row = -1, lit_column = -1;
    int hidden_row = -1;  ///< its values are not told: "?" stands in each cell, and no item has one

    ImVec2 max() const {
        return {min.x + pitch.x * static_cast<float>(columns), min.y + pitch.y * static_cast<float>(rows)};
    }
    /// The box of one cell.
    void cell(const Ui& ui, int row, int column, ImVec2& from, ImVec2& to) const;
};

/// What the mouse does to it in this frame.
struct HeatMapHit {
    int row = -1, column = -1;  ///< under the mouse; −1 when none
    bool clicked = false;
};

/// Draws it; cells are registered as "label row column", the whole as `label`.
HeatMapHit heat_map(const Ui& ui, std::string_view label, const HeatMap& map);

/// Words over the columns of a grid that begins at `left` with columns `pitch` wide: turned as far as it takes for
/// neighbours not to touch.
struct ColumnLabels {
    float pitch = 0;
    float max_length = 0;  ///< longer words are cut
    float degrees(const Ui& ui) const;
    float height(const Ui& ui, float longest) const;  ///< above the grid
    /// How far the word of `width` over a column reaches to the right of that column's middle.
    float reach(const Ui& ui, float width) const;
    void draw(const Ui& ui, ImVec2 bottom_middle, std::string_view word, const draw::TextStyle& style) const;
};

}  // namespace glassformer::app
