#pragma once

#include <array>
#include <vector>

#include "app/common/grid_window.h"
#include "app/common/head_trace.h"
#include "app/common/heat_map.h"

namespace glassformer::app {

/// What of the patterns of long sentences is seen.
struct PatternViewState {
    std::array<GridView, 2> window;  // by card
    int zoom_asked = 0;              // by keyboard, of the chosen card's: closer (1), further (−1), whole (2)
};

/// Where the heat map of a pattern stands, and the room to its right whose rows line up with its own. Of a long
/// sentence it is seen through a window, and only so many rows are named as there is room for.
struct PatternLayout {
    ImVec2 grid, pitch;  ///< first cell's corner; from cell to cell
    float words_left = 0;
    float top = 0;  ///< of the headings
    float side_left = 0, side_right = 0;
    ColumnLabels labels;
    bool windowed = false;
    Box window = {};        ///< where it is windowed: what is seen of the grid
    std::vector<int> rows;  ///< that are named; all of them where it is not windowed
    float row_height = 0;   ///< of the name of a row
    float columns_y = 0;    ///< where the names of the columns end
    float title_right = 0;  ///< of the line above a window, which ends where its buttons begin

    /// The left end of what is seen of the grid.
    float grid_left() const { return windowed ? window.min.x : grid.x; }

    /// The top of the name of a row.
    float row_y(int row) const { return grid.y + pitch.y * (static_cast<float>(row) + 0.5f) - row_height / 2; }
};

/// Height of the headings above the grid.
float pattern_heading(const Frame& frame, const HeadTrace& head);
/// `cell` is the height of a row; `with_side`: room is kept for what stands to the right.
PatternLayout pattern_layout(const Frame& frame, const HeadTrace& head, const Box& box, float cell,
                             bool with_side = true);

/// Of a long sentence, in the whole of a box: headings, zoom buttons and the window.
PatternLayout pattern_window(const Frame& frame, const HeadTrace& head, const Box& box);

/// The chosen head's weights from every token (rows) to every token (columns): pattern_view.cpp.
void draw_pattern(const Frame& frame, const HeadTrace& head, const PatternLayout& at);

}  // namespace glassformer::app
