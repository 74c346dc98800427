#pragma once

#include "app/views/head_trace.h"
#include "app/views/heat_map.h"

namespace glassformer::app {

/// Where the heat map of a pattern stands, and the room to its right whose rows line up with its own.
struct PatternLayout {
    ImVec2 grid, pitch;  ///< first cell's corner; from cell to cell
    float words_left = 0;
    float top = 0;  ///< of the headings
    float side_left = 0, side_right = 0;
    ColumnLabels labels;
};

/// Height of the headings above the grid.
float pattern_heading(const Frame& frame, const HeadTrace& head);
/// `cell` is the height of a row; `with_side`: room is kept for what stands to the right.
PatternLayout pattern_layout(const Frame& frame, const HeadTrace& head, const Box& box, float cell,
                             bool with_side = true);

/// The chosen head's weights from every token (rows) to every token (columns): pattern_view.cpp.
void draw_pattern(const Frame& frame, const HeadTrace& head, const PatternLayout& at);

}  // namespace glassformer::app
