#pragma once

#include <string_view>

#include "app/ui/controls.h"
#include "app/ui/heat_texture.h"

/// A grid of coloured cells, of any size: few cells are rounded rectangles, many are one picture.
namespace glassformer::app {

/// Where the cells stand.
struct CellGrid {
    int rows = 0, columns = 0;
    ImVec2 min;    ///< of the first cell
    ImVec2 pitch;  ///< from one cell to the next
    int lit_row = -1, lit_column = -1;
    /// Rows whose values are not told: "?" is in each cell, and no item has one.
    int hidden_row = -1, hidden_row_too = -1;

    static CellGrid over(const Box& box, int rows, int columns) {
        return {rows, columns, box.min, {box.width() / to_float(columns), box.height() / to_float(rows)}};
    }
    ImVec2 max() const { return {min.x + pitch.x * to_float(columns), min.y + pitch.y * to_float(rows)}; }
    bool is_hidden(int row) const { return row == hidden_row || row == hidden_row_too; }
    /// The box of one cell; cells of less than five pixels touch.
    Box cell(const Ui& ui, int row, int column) const;
    /// Around some of them.
    Box cells(const Ui& ui, int row, int column, int of_rows, int of_columns) const {
        return {cell(ui, row, column).min, cell(ui, row + of_rows - 1, column + of_columns - 1).max};
    }
    /// Pixels between two cells.
    float gap(const Ui& ui) const;
};

/// What the mouse does to it in this frame.
struct CellHit {
    int row = -1, column = -1;  ///< under the mouse; −1 when none
    bool clicked = false;
    Response response;  ///< of the whole grid
};

/// Rows and columns that the current window shows: half open.
struct SeenCells {
    int row = 0, row_end = 0, column = 0, column_end = 0;
    int count() const { return (row_end - row) * (column_end - column); }
};
SeenCells seen_cells(const CellGrid& grid);

/// Draws the cells that can be seen in the current window. The whole is registered as `label`; the cells as
/// "label row column" with their values as long as they are not too many to be pointed at by name, else the one under
/// the mouse alone. A matrix without an owner in its key is drawn in rectangles whatever its size.
CellHit draw_cells(const Ui& ui, std::string_view label, const CellGrid& grid, const HeatMatrix& matrix,
                   bool cells_are_items = true);

/// A gold frame around some cells.
void frame_cells(const Ui& ui, const CellGrid& grid, int row, int column, int rows, int columns, float radius = 3);

/// The cell at a place of the screen, the nearest one where that is outside.
CellHit cell_at(const CellGrid& grid, ImVec2 place);

}  // namespace glassformer::app
