#pragma once

#include "app/common/frame.h"
#include "app/ui/cell_grid.h"

/// A grid that is larger than its place on screen: it is zoomed into and moved under a window.
namespace glassformer::app {

/// Which part of a large grid is seen.
struct GridView {
    float cell = 0;        // pixels at 100 % from cell to cell; 0: the whole grid is seen
    float x = 0, y = 0;    // the place in the middle of its window, in cells
    int row = -1;          // the chosen one that it was moved to last
    bool dragged = false;  // the mouse button moves it: what it is released on is not clicked
};

/// Puts a grid of rows × columns under the window `box`, as `view` says: whole, or a part of it. Whole cells are
/// square.
CellGrid place_grid(const Ui& ui, GridView& view, const Box& box, int rows, int columns);

/// What mouse and keys do to it: the wheel zooms about the mouse, a drag moves, a double click shows the whole again.
/// `response` is of the grid that was drawn.
void move_grid(const Frame& frame, GridView& view, const CellGrid& grid, const Box& box, const Response& response);
/// Zooms by a factor about a place on screen, or shows the whole for 0.
void zoom_grid(const Ui& ui, GridView& view, const CellGrid& grid, const Box& box, float factor, ImVec2 about);
/// Moves a row into the window when another one was chosen.
void follow_row(GridView& view, const CellGrid& grid, const Box& box, int row);

/// The buttons − + and "fit", right-aligned in `box`; items are "<label>/out", "/in", "/fit". Returns their left end.
float draw_zoom_buttons(const Frame& frame, std::string_view label, GridView& view, const CellGrid& grid,
                        const Box& window, const Box& box);

}  // namespace glassformer::app
