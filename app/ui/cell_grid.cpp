#include "app/ui/cell_grid.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace glassformer::app {

namespace {

constexpr float gap_from = 5;             // pixels at 100 %: smaller cells touch
constexpr int most_rectangles = 24 * 24;  // visible at once; more are drawn as one texture
constexpr int most_items = 1600;

int clamped(float cells, int count) { return std::clamp(static_cast<int>(std::floor(cells)), 0, count); }

/// Draws one grid in one frame.
struct Cells {
    const Ui& ui;
    std::string_view label;
    const CellGrid& grid;
    const HeatMatrix& matrix;
    SeenCells seen;

    std::size_t at(int row, int column) const { return row * matrix.stride + column; }
    float value(int row, int column) const { return matrix.values[at(row, column)]; }
    bool hidden(int row, int column) const {
        return !matrix.scores.empty() && std::isinf(matrix.scores[at(row, column)]);
    }
    ImU32 colour(float value) const { return heat_colour(*ui.theme, matrix.colours, value, matrix.range); }
    void add_item(int row, int column) const {
        const auto told = grid.is_hidden(row) ? std::nullopt : std::optional<double>(value(row, column));
        ui.items->addf(grid.cell(ui, row, column), told, "%.*s %d %d", static_cast<int>(label.size()), label.data(),
                       row, column);
    }
};

/// The visible part of a grid; the whole grid if it is out of sight.
Box seen_part(const CellGrid& grid) {
    const Box whole{grid.min, grid.max()}, seen = whole.overlap(clip_box(*ImGui::GetWindowDrawList()));
    return seen.empty() ? whole : seen;
}

/// Darkens the gaps between the cells of the row and column under the mouse.
void light_bands(const Cells& c) {
    const CellGrid& grid = c.grid;
    const Box seen = seen_part(grid);
    const ImU32 colour = mix(c.ui.theme->card, c.ui.theme->text, 0.35f);
    const float out = c.ui.px(1);
    if (grid.lit_row >= 0 && grid.lit_row < grid.rows) {
        const Box cell = grid.cell(c.ui, grid.lit_row, 0);
        draw::rounded_box(c.ui, {{seen.min.x - out, cell.min.y - out}, {seen.max.x, cell.max.y + out}}, colour, 0, 3);
    }
    if (grid.lit_column >= 0 && grid.lit_column < grid.columns) {
        const Box cell = grid.cell(c.ui, 0, grid.lit_column);
        draw::rounded_box(c.ui, {{cell.min.x - out, seen.min.y - out}, {cell.max.x + out, seen.max.y}}, colour, 0, 3);
    }
}

/// A masked token does not have a weight of 0, so its cell is empty but for a small dot.
void draw_hidden(const Cells& c, const Box& cell) {
    c.ui.list()->AddRectFilled(cell.min, cell.max, c.ui.theme->card);
    if (cell.width() >= c.ui.px(6)) c.ui.list()->AddCircleFilled(cell.centre(), c.ui.px(1), c.ui.theme->text_faint);
}

/// Draws "?" in a cell of a row with hidden values, if there is room.
void draw_question(const Cells& c, const Box& cell) {
    if (cell.width() >= c.ui.px(8) && cell.height() >= c.ui.line(FontRole::small) * 0.8f)
        draw::text_in(c.ui, cell, "?", {FontRole::small, c.ui.theme->text_faint, draw::Align::centre});
}

void draw_rectangles(const Cells& c) {
    light_bands(c);
    const float smaller = std::min(c.grid.pitch.x, c.grid.pitch.y);
    const float radius = smaller >= 8 * c.ui.scale ? std::min(3.0f * c.ui.scale, smaller * 0.16f) : 0;
    for (int row = c.seen.row; row < c.seen.row_end; ++row)
        for (int column = c.seen.column; column < c.seen.column_end; ++column) {
            const Box cell = c.grid.cell(c.ui, row, column);
            if (c.grid.is_hidden(row))
                c.ui.list()->AddRectFilled(cell.min, cell.max, c.ui.theme->track, radius), draw_question(c, cell);
            else if (c.hidden(row, column))
                draw_hidden(c, cell);
            else
                c.ui.list()->AddRectFilled(cell.min, cell.max, c.colour(c.value(row, column)), radius);
        }
}

/// Draws the grid as one texture: few visible cells have gaps, and the lit row and column lie between lines.
void draw_picture(const Cells& c) {
    const CellGrid& grid = c.grid;
    const auto within = [](int cell, int count) { return cell < count ? cell : -1; };
    draw_heat(c.ui, c.matrix, {grid.min, grid.max()},
              {grid.pitch, grid.gap(c.ui), within(grid.lit_row, grid.rows), within(grid.lit_column, grid.columns),
               within(grid.hidden_row, grid.rows), within(grid.hidden_row_too, grid.rows)});
    for (const int row : {grid.hidden_row, grid.hidden_row_too})
        for (int column = c.seen.column; row >= c.seen.row && row < c.seen.row_end && column < c.seen.column_end;
             ++column)
            draw_question(c, grid.cell(c.ui, row, column));
}

}  // namespace

Box CellGrid::cell(const Ui& ui, int row, int column) const {
    const CellEdges x(min.x, pitch.x, gap(ui), column), y(min.y, pitch.y, gap(ui), row);
    return {{x.from, y.from}, {x.to, y.to}};
}

void frame_cells(const Ui& ui, const CellGrid& grid, int row, int column, int rows, int columns, float radius) {
    draw::selection_frame(ui, grid.cells(ui, row, column, rows, columns).inset(-ui.px(2)), radius);
}

float CellGrid::gap(const Ui& ui) const { return std::min(pitch.x, pitch.y) >= gap_from * ui.scale ? ui.px(1) : 0; }

SeenCells seen_cells(const CellGrid& grid) {
    const Box seen = clip_box(*ImGui::GetWindowDrawList());
    return {clamped((seen.min.y - grid.min.y) / grid.pitch.y, grid.rows),
            clamped((seen.max.y - grid.min.y) / grid.pitch.y + 1, grid.rows),
            clamped((seen.min.x - grid.min.x) / grid.pitch.x, grid.columns),
            clamped((seen.max.x - grid.min.x) / grid.pitch.x + 1, grid.columns)};
}

CellHit cell_at(const CellGrid& grid, ImVec2 place) {
    const int row = static_cast<int>((place.y - grid.min.y) / grid.pitch.y);
    const int column = static_cast<int>((place.x - grid.min.x) / grid.pitch.x);
    return {std::clamp(row, 0, grid.rows - 1), std::clamp(column, 0, grid.columns - 1), false, {}};
}

CellHit draw_cells(const Ui& ui, std::string_view label, const CellGrid& grid, const HeatMatrix& matrix,
                   bool cells_are_items) {
    if (grid.rows < 1 || grid.columns < 1) return {};
    const Response response = click_area(ui, label, seen_part(grid));
    if (grid.draggable) ui.items->make_draggable();
    const Cells cells{ui, label, grid, matrix, seen_cells(grid)};
    const bool picture = matrix.key.owner && cells.seen.count() > most_rectangles;
    if (picture)
        draw_picture(cells);
    else
        draw_rectangles(cells);
    const bool all = cells_are_items && cells.seen.count() <= most_items;
    for (int row = cells.seen.row; all && row < cells.seen.row_end; ++row)
        for (int column = cells.seen.column; column < cells.seen.column_end; ++column) cells.add_item(row, column);
    if (!response.hovered && !response.clicked) return {-1, -1, false, response};
    CellHit hit = cell_at(grid, ImGui::GetIO().MousePos);
    hit.clicked = response.clicked, hit.response = response;
    if (cells_are_items && !all) cells.add_item(hit.row, hit.column);
    return hit;
}

}  // namespace glassformer::app
