#include "app/ui/heat_marks.h"

namespace glassformer::app {

namespace {

/// The cells of an axis between two places, half open.
struct Seen {
    int first, end;
    Seen(float begin, float pitch, int count, float from, float to)
        : first(std::clamp(static_cast<int>(std::floor((from - begin) / pitch)), 0, count)),
          end(std::clamp(static_cast<int>(std::floor((to - begin) / pitch)) + 1, 0, count)) {}
};

}  // namespace

void draw_marks(ImDrawList& list, const Theme& theme, const HeatMarks& m, int rows, int columns, const Box& box) {
    const ImVec2 clip_min = list.GetClipRectMin(), clip_max = list.GetClipRectMax();
    const auto row_edges = [&](int row) { return CellEdges(box.min.y, m.pitch.y, m.gap, row); };
    const auto column_edges = [&](int column) { return CellEdges(box.min.x, m.pitch.x, m.gap, column); };
    const auto across = [&](float y, float height, ImU32 colour) {
        list.AddRectFilled({box.min.x, y}, {box.max.x, y + height}, colour);
    };
    const auto down = [&](float x, float width, ImU32 colour) {
        list.AddRectFilled({x, box.min.y}, {x + width, box.max.y}, colour);
    };
    for (const int row : {m.covered, m.covered_too})
        if (row >= 0) across(row_edges(row).from, row_edges(row).to - row_edges(row).from, theme.track);
    if (m.gap > 0) {
        const Seen y(box.min.y, m.pitch.y, rows, clip_min.y, clip_max.y),
            x(box.min.x, m.pitch.x, columns, clip_min.x, clip_max.x);
        for (int row = y.first; row < y.end; ++row) across(row_edges(row).to, m.gap, theme.card);
        for (int column = x.first; column < x.end; ++column) down(column_edges(column).to, m.gap, theme.card);
    }
    const ImU32 line = with_alpha(theme.text, lit_line_alpha);
    if (m.lit_row >= 0) across(row_edges(m.lit_row).from - 1, 1, line), across(row_edges(m.lit_row).to, 1, line);
    if (m.lit_column >= 0)
        down(column_edges(m.lit_column).from - 1, 1, line), down(column_edges(m.lit_column).to, 1, line);
}

}  // namespace glassformer::app
