#pragma once

#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "app/ui/box.h"
#include "app/ui/theme.h"

namespace glassformer::app {

/// What is drawn on the picture of a matrix besides its values: gaps between the cells, rows that are covered, and the
/// selection, a row and a column between lines. In pixels of the window.
struct HeatMarks {
    ImVec2 pitch;                        ///< from one cell to the next
    float gap = 0;                       ///< between the cells, in the card's colour
    int lit_row = -1, lit_column = -1;   ///< −1: none
    int covered = -1, covered_too = -1;  ///< rows in the track's colour
    bool any_lit() const { return lit_row >= 0 || lit_column >= 0; }
    bool any() const { return gap > 0 || any_lit() || covered >= 0 || covered_too >= 0; }
};

/// How strong the selection's lines are, in the text's colour.
inline constexpr float lit_line_alpha = 0.55f;

/// The pixels of a cell along an axis, in a grid that begins at `begin`: whole ones, and at least one. The shader has
/// the same (shaders/draw/heat.frag).
struct CellEdges {
    float from = 0, to = 0;
    CellEdges(float begin, float pitch, float gap, int cell) {
        const float at = begin + pitch * static_cast<float>(cell);
        from = std::round(at), to = std::max(from + 1, std::round(at + pitch) - gap);
    }
};

/// The marks in rectangles, over the picture of a matrix of so many cells: for pictures that no shader draws. Where
/// there is one, it draws them too.
void draw_marks(ImDrawList& list, const Theme& theme, const HeatMarks& marks, int rows, int columns, const Box& box);

}  // namespace glassformer::app
