#include "app/common/grid_window.h"

#include <algorithm>
#include <cmath>

#include "app/language/tr.h"

namespace glassformer::app {

namespace {

constexpr float largest_cell = 44;  // pixels at 100 %
constexpr float wheel_step = 1.25f, button_step = 1.6f;

float fitting_pitch(const Box& box, int rows, int columns) {
    return std::min(box.width() / static_cast<float>(columns), box.height() / static_cast<float>(rows));
}

/// The start of an axis that puts `middle` (in cells) at the window's centre, without leaving the window half empty.
float begin_of(float from, float to, float middle, float pitch, int count) {
    const float length = pitch * static_cast<float>(count);
    if (length <= to - from) return from;
    return std::clamp((from + to) / 2 - middle * pitch, to - length, from);
}

/// Stores the cell at the window's centre in `view`.
void take_middle(GridView& view, const CellGrid& grid, const Box& box) {
    view.x = (box.middle_x() - grid.min.x) / grid.pitch.x;
    view.y = (box.middle_y() - grid.min.y) / grid.pitch.y;
}

}  // namespace

CellGrid place_grid(const Ui& ui, GridView& view, const Box& box, int rows, int columns) {
    const float fit = fitting_pitch(box, rows, columns), largest = std::max(fit, ui.px(largest_cell));
    if (view.cell * ui.scale <= fit) view.cell = 0;
    const float pitch = view.cell > 0 ? std::min(view.cell * ui.scale, largest) : fit;
    CellGrid grid;
    grid.rows = rows, grid.columns = columns, grid.pitch = {pitch, pitch};
    if (view.cell <= 0) view.x = static_cast<float>(columns) / 2, view.y = static_cast<float>(rows) / 2;
    grid.min = {begin_of(box.min.x, box.max.x, view.x, pitch, columns),
                begin_of(box.min.y, box.max.y, view.y, pitch, rows)};
    return grid;
}

void zoom_grid(const Ui& ui, GridView& view, const CellGrid& grid, const Box& box, float factor, ImVec2 about) {
    const float fit = fitting_pitch(box, grid.rows, grid.columns), largest = std::max(fit, ui.px(largest_cell));
    const float pitch = std::clamp(grid.pitch.x * factor, fit, largest);
    view.cell = factor <= 0 || pitch <= fit ? 0 : pitch / ui.scale;
    // The cell under `about` stays there.
    const ImVec2 cell{(about.x - grid.min.x) / grid.pitch.x, (about.y - grid.min.y) / grid.pitch.y};
    view.x = cell.x + (box.middle_x() - about.x) / pitch;
    view.y = cell.y + (box.middle_y() - about.y) / pitch;
}

void move_grid(const Frame& frame, GridView& view, const CellGrid& grid, const Box& box, const Response& response) {
    const ImGuiIO& io = ImGui::GetIO();
    if (response.hovered) frame.ui.items->keep_wheel();
    if (response.hovered && io.MouseWheel != 0)
        zoom_grid(frame.ui, view, grid, box, std::pow(wheel_step, io.MouseWheel), io.MousePos);
    const bool out = grid.max().x > box.max.x + 1 || grid.max().y > box.max.y + 1 || grid.min.x < box.min.x - 1 ||
                     grid.min.y < box.min.y - 1;
    if (response.held && ImGui::IsMouseDragging(0) && out) {
        view.dragged = true;
        take_middle(view, grid, box);
        view.x -= io.MouseDelta.x / grid.pitch.x, view.y -= io.MouseDelta.y / grid.pitch.y;
    }
    if (response.double_clicked) view = {};
    if (!io.MouseDown[0] && !response.clicked) view.dragged = false;
}

void follow_row(GridView& view, const CellGrid& grid, const Box& box, int row) {
    if (view.row == row) return;
    const bool first = view.row < 0;
    view.row = row;
    const float top = grid.min.y + grid.pitch.y * static_cast<float>(row);
    if (first || (top >= box.min.y && top + grid.pitch.y <= box.max.y)) return;
    take_middle(view, grid, box);
    view.y = static_cast<float>(row) + 0.5f;
}

float draw_zoom_buttons(const Frame& frame, std::string_view label, GridView& view, const CellGrid& grid,
                        const Box& window, const Box& box) {
    const Ui& ui = frame.ui;
    const ImVec2 middle = window.centre();
    const bool whole = view.cell <= 0, closest = grid.pitch.x >= ui.px(largest_cell) - 0.5f;
    float x = box.max.x;
    const auto one = [&](const char* item, const char* text, bool enabled, const char* tip) {
        const ButtonStyle style{.tone = Tone::quiet, .enabled = enabled, .font = FontRole::small_bold, .tooltip = tip};
        const float width = std::max(box.height(), draw::text_size(ui, text, FontRole::small_bold).x + ui.px(12));
        x -= width;
        const bool clicked =
            static_cast<bool>(button(ui, ui.items->join({label, "/", item}), box.between_x(x, x + width), text, style));
        x -= ui.px(3);
        return clicked;
    };
    if (one("fit", tr("Fit"), !whole, tr("Show the whole pattern (0)\nA double-click does the same.")))
        view = {.row = view.row};
    if (one("in", "+", !closest, tr("Zoom in (+)\nScroll to zoom at the pointer, drag to move.")))
        zoom_grid(ui, view, grid, window, button_step, middle);
    if (one("out", "−", !whole, tr("Zoom out (−)\nScrolling does the same.")))
        zoom_grid(ui, view, grid, window, 1 / button_step, middle);
    return x;
}

}  // namespace glassformer::app
