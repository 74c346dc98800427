#pragma once

#include <array>
#include <vector>

#include "app/common/grid_window.h"
#include "app/common/head_trace.h"
#include "app/common/heat_map.h"

namespace glassformer::app {

/// The visible parts of long sentences' patterns.
struct PatternViewState {
    std::array<GridView, 2> window;  // by card
    int zoom_asked = 0;              // keyboard request for the chosen card: in (1), out (−1), whole (2)
};

/// Where a pattern's heat map is, and the space to its right whose rows line up with it. A long sentence's map is seen
/// through a window, and only as many rows are named as fit.
struct PatternLayout {
    ImVec2 grid, pitch;  ///< first cell's corner; distance from cell to cell
    float words_left = 0;
    float top = 0;  ///< of the headings
    float side_left = 0, side_right = 0;
    ColumnLabels labels;
    bool windowed = false;
    Box window = {};        ///< if windowed: the visible part of the grid
    std::vector<int> rows;  ///< the named rows; all of them if not windowed
    float row_height = 0;   ///< of a row's name
    float columns_y = 0;    ///< where the columns' names end
    float title_right = 0;  ///< right end of the line above a window, where its buttons begin

    /// The left end of the visible grid.
    float grid_left() const { return windowed ? window.min.x : grid.x; }

    /// The top of a row's name.
    float row_y(int row) const { return grid.y + pitch.y * (static_cast<float>(row) + 0.5f) - row_height / 2; }
};

/// Height of the headings above the grid.
float pattern_heading(const Frame& frame, const HeadTrace& head);
/// `cell` is the height of a row; `with_side` keeps space on the right.
PatternLayout pattern_layout(const Frame& frame, const HeadTrace& head, const Box& box, float cell,
                             bool with_side = true);

/// The layout of a long sentence, in the whole box: headings, zoom buttons and the window. Draws the buttons.
PatternLayout pattern_window(const Frame& frame, const HeadTrace& head, const Box& box);

/// Draws the chosen head's weights from every token (rows) to every token (columns).
void draw_pattern(const Frame& frame, const HeadTrace& head, const PatternLayout& at);

}  // namespace glassformer::app
