#pragma once

#include "app/common/frame.h"
#include "app/ui/cell_grid.h"

/// A grid that is larger than its place on screen: users zoom and pan it under a window.
namespace glassformer::app {

/// The visible part of a large grid.
struct GridView {
    float cell = 0;        // cell pitch in pixels at 100 %; 0: the whole grid is visible
    float x = 0, y = 0;    // the centre of its window, in cells
    int row = -1;          // the chosen row that it last followed
    bool dragged = false;  // the mouse drags it: releasing the button is not a click
};

/// Places a grid of rows × columns under the window `box`, whole or in part, as `view` says. Cells are square.
CellGrid place_grid(const Ui& ui, GridView& view, const Box& box, int rows, int columns);

/// Handles the mouse: the wheel zooms about the pointer, a drag pans, a double-click shows the whole grid again.
/// `response` is that of the drawn grid.
void move_grid(const Frame& frame, GridView& view, const CellGrid& grid, const Box& box, const Response& response);
/// Zooms by a factor about a point on screen; 0 shows the whole grid.
void zoom_grid(const Ui& ui, GridView& view, const CellGrid& grid, const Box& box, float factor, ImVec2 about);
/// Brings `row` into the window when it changes.
void follow_row(GridView& view, const CellGrid& grid, const Box& box, int row);

/// Draws the buttons −, + and "fit", right-aligned in `box`, as items "<label>/out", "/in" and "/fit". Returns their
/// left end.
float draw_zoom_buttons(const Frame& frame, std::string_view label, GridView& view, const CellGrid& grid,
                        const Box& window, const Box& box);

}  // namespace glassformer::app
