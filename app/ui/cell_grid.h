#pragma once

#include <string_view>

#include "app/ui/controls.h"
#include "app/ui/heat_texture.h"

/// A grid of coloured cells of any size: a few cells are drawn as rounded rectangles, many as one texture.
namespace glassformer::app {

/// The position and layout of the cells.
struct CellGrid {
    int rows = 0, columns = 0;
    ImVec2 min;    ///< top left corner of the first cell
    ImVec2 pitch;  ///< from one cell to the next
    int lit_row = -1, lit_column = -1;
    /// Rows with hidden values: each of their cells shows "?", and their items have no value.
    int hidden_row = -1, hidden_row_too = -1;
    bool draggable = false;  ///< dragging moves or paints it

    static CellGrid over(const Box& box, int rows, int columns) {
        return {rows, columns, box.min, {box.width() / to_float(columns), box.height() / to_float(rows)}};
    }
    ImVec2 max() const { return {min.x + pitch.x * to_float(columns), min.y + pitch.y * to_float(rows)}; }
    bool is_hidden(int row) const { return row == hidden_row || row == hidden_row_too; }
    /// The box of one cell. Cells smaller than five pixels touch.
    Box cell(const Ui& ui, int row, int column) const;
    /// The box around a block of cells.
    Box cells(const Ui& ui, int row, int column, int of_rows, int of_columns) const {
        return {cell(ui, row, column).min, cell(ui, row + of_rows - 1, column + of_columns - 1).max};
    }
    /// Pixels between two cells.
    float gap(const Ui& ui) const;
};

/// What the mouse does to the grid in this frame.
struct CellHit {
    int row = -1, column = -1;  ///< under the mouse; −1 for none
    bool clicked = false;
    Response response;  ///< of the whole grid
};

/// The rows and columns that the current window shows, as half-open ranges.
struct SeenCells {
    int row = 0, row_end = 0, column = 0, column_end = 0;
    int count() const { return (row_end - row) * (column_end - column); }
};
SeenCells seen_cells(const CellGrid& grid);

/// Draws the cells visible in the current window. Registers the whole grid as the item `label`, and each visible cell
/// as "label row column" with its value; when too many are visible, only the one under the mouse. A matrix whose key
/// has no owner is always drawn as rectangles.
CellHit draw_cells(const Ui& ui, std::string_view label, const CellGrid& grid, const HeatMatrix& matrix,
                   bool cells_are_items = true);

/// A gold frame around some cells.
void frame_cells(const Ui& ui, const CellGrid& grid, int row, int column, int rows, int columns, float radius = 3);

/// The cell at a screen position, or the nearest one if the position is outside the grid.
CellHit cell_at(const CellGrid& grid, ImVec2 place);

}  // namespace glassformer::app
