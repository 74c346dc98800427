#include "app/views/whole_model/canvas.h"

#include <algorithm>
#include <cmath>

#include "app/common/hidden_by_quiz.h"
#include "app/common/traced_value.h"
#include "core/graph/hook_names.h"

namespace glassformer::app::views::whole_model {

namespace {

constexpr float least_cell = 2.4f, gap_from = 4, least_to_click = 5;  // pixels at 100 %
constexpr int many_words = 64;

/// As many cells as there are numbers, or as fit. If not all numbers fit, the cell counts are powers of two, so that
/// zooming does not need another grid in every frame.
void choose_grid(const Ui& ui, float width, float height, std::int64_t count, int& rows, int& columns) {
    const float numbers = to_float(count), aspect = width / std::max(height, 1.0f);
    columns = std::max(1, static_cast<int>(std::lround(std::sqrt(numbers * aspect))));
    for (int apart = 0; apart <= columns / 3; ++apart) {  // full rows look calmer
        const int more = columns + apart, less = columns - apart;
        if (count % more == 0 || count % less == 0) {
            columns = count % more == 0 ? more : less;
            break;
        }
    }
    columns = static_cast<int>(std::min<std::int64_t>(columns, count));
    rows = static_cast<int>((count + columns - 1) / columns);
    const float cell = std::min(width / to_float(columns), height / to_float(rows));
    if (cell >= least_cell * ui.scale) return;
    const auto fitting = [&](float pixels) {
        int cells = 1;
        while (to_float(2 * cells) * least_cell * ui.scale <= pixels) cells *= 2;
        return cells;
    };
    columns = std::min(columns, fitting(width)), rows = std::min(rows, fitting(height));
}

struct Cells {
    const TileCells& cells;
    Box box;

    Box at(std::size_t i) const {
        const auto column = to_float(static_cast<int>(i) % cells.columns),
                   row = to_float(static_cast<int>(i) / cells.columns);
        const float w = box.width() / to_float(cells.columns), h = box.height() / to_float(cells.rows);
        return {{box.min.x + w * column, box.min.y + h * row},
                {box.min.x + w * (column + 1), box.min.y + h * (row + 1)}};
    }
    int under(ImVec2 mouse) const {
        if (!box.contains(mouse)) return -1;
        const int column = static_cast<int>((mouse.x - box.min.x) / box.width() * to_float(cells.columns));
        const int row = static_cast<int>((mouse.y - box.min.y) / box.height() * to_float(cells.rows));
        const int i = row * cells.columns + column;
        return i < int_size(cells.values) ? i : -1;
    }
    int largest() const {
        int best = 0;
        for (int i = 1; i < int_size(cells.values); ++i)
            if (std::abs(cells.values[i]) > std::abs(cells.values[best])) best = i;
        return best;
    }
};

/// The cell of a tile that represents a number of the trace; −1: none.
int cell_of(const Canvas& canvas, const Tile& tile, const TileCells& cells, const TracedCell& at) {
    if (at.slot != canvas.slot || at.cell.node != tile.node) return -1;
    const std::int64_t in_row = at.cell.offset - tile.position * canvas.trace.slices(tile.node).width - tile.first;
    if (in_row < 0 || in_row >= tile.count) return -1;
    const auto shown = static_cast<std::int64_t>(cells.values.size());
    return static_cast<int>(((in_row + 1) * shown - 1) / tile.count);
}

void paint(const Canvas& canvas, const Tile& tile, const Cells& cells, float range) {
    const Ui& ui = canvas.ui();
    const float first = cells.at(0).width();
    const float gap = first >= gap_from * ui.scale ? std::min(1.0f, 0.14f * first) : 0;
    for (std::size_t i = 0; i < cells.cells.values.size(); ++i) {
        const ImU32 colour = heat_colour(canvas.theme(), tile.colours, cells.cells.values[i], range);
        const Box at = cells.at(i);
        ui.list()->AddRectFilled(at.min, {at.max.x - gap, at.max.y - gap}, colour);
    }
}

/// The background of a tile. Many words have small tiles with plain corners: round ones would be most of the drawing.
void draw_ground(const Canvas& canvas, const Box& box, ImU32 ground, ImU32 border, float border_width) {
    const Ui& ui = canvas.ui();
    if (canvas.layout.side(false).words < many_words || border_width > 1)
        return draw::rounded_box(ui, box, ground, border, box.width() > ui.px(20) ? 3 : 1, border_width);
    const auto whole = [](ImVec2 p) { return ImVec2(std::floor(p.x + 0.5f), std::floor(p.y + 0.5f)); };
    const Box outer{whole(box.min), whole(box.max)}, inner = outer.inset(border ? ui.px(1) : 0);
    if (border) ui.list()->AddRectFilled(outer.min, outer.max, border);
    if (inner.width() > 0 && inner.height() > 0) ui.list()->AddRectFilled(inner.min, inner.max, ground);
}

/// Draws gold around the number that is explained or under the mouse, if it is in the tile.
void light(const Canvas& canvas, const Tile& tile, const Cells& cells) {
    const ViewState& state = canvas.frame.state;
    for (const TracedCell* at : {&state.hovered, &state.linked, state.trail.empty() ? nullptr : &state.trail.back()}) {
        const int cell = at ? cell_of(canvas, tile, cells.cells, *at) : -1;
        if (cell < 0 || !is_lit(state, canvas.slot, at->cell)) continue;
        draw::selection_frame(canvas.ui(), cells.at(cell).inset(-canvas.ui().px(1)), 2);
    }
}

}  // namespace

bool Canvas::has_heads() const {
    if (!state.source) return has_attention(frame.state, trace);
    return trace.graph().find(block_hook(state.source_block, "attn.hook_pattern", true)).has_value();
}

FontRole Canvas::font(FontRole role) const {
    constexpr float steps[] = {1.25f, 1.5f, 1.9f};  // page scale from which each larger font is used
    const float larger =
        (state.camera.level() == CanvasLevel::model ? std::min(unit, layout.scale) : unit) / ui().scale;
    int size = static_cast<int>(role) / 2;
    for (const float step : steps) size += larger >= step;
    return static_cast<FontRole>(std::min(size, font_role_count / 2 - 1) * 2 + static_cast<int>(role) % 2);
}

bool Canvas::hides_said(int position) const { return position == token() && waits_for_guess(frame.state, slot); }

void draw_plus(const Ui& ui, ImVec2 centre, float radius, ImU32 ink) {
    const float arm = radius * 0.52f, width = std::max(1.0f, radius * 0.2f);
    ui.list()->AddCircleFilled(centre, radius, ui.theme->card);
    ui.list()->AddCircle(centre, radius, ink, 0, width);
    if (radius < 3) return;
    ui.list()->AddLine({centre.x - arm, centre.y}, {centre.x + arm, centre.y}, ink, width);
    ui.list()->AddLine({centre.x, centre.y - arm}, {centre.x, centre.y + arm}, ink, width);
}

void draw_arrow(const Ui& ui, ImVec2 at, float half) {
    const float head = std::min(ui.px(3.5f), half), air = ui.px(2);
    ui.list()->AddRectFilled({at.x - half - air, at.y - head - 2 * air}, {at.x + half + air, at.y + head + 2 * air},
                             ui.theme->card);
    ui.list()->AddLine({at.x - half, at.y}, {at.x + half, at.y}, ui.theme->text_faint, ui.px(1.5f));
    ui.list()->AddTriangleFilled({at.x + half, at.y}, {at.x + half - head, at.y - head},
                                 {at.x + half - head, at.y + head}, ui.theme->text_faint);
}

Response draw_tile(const Canvas& canvas, const Tile& tile, const Box& box, std::string_view label) {
    const Ui& ui = canvas.ui();
    if (!canvas.sees(box)) return {};
    const float air = std::min(ui.px(2), box.width() * 0.05f);
    const ImU32 ground =
        tile.colours == HeatColours::neurons ? signed_colours(canvas.theme(), tile.colours).zero : canvas.theme().card;
    const bool small = box.height() < ui.px(10);
    const float around = small ? 0 : air;
    draw_ground(canvas, box.inset(-around), ground, small && tile.border_width <= 1 ? 0 : tile.border,
                small ? 1 : tile.border_width);
    if (!tile.filled || tile.count < 1) return {};
    if (canvas.difference && !canvas.reading.other_has(tile.node, tile.position)) return {};
    int rows = 1, columns = 1;
    choose_grid(ui, box.width(), box.height(), tile.count, rows, columns);
    const TileCells* read =
        canvas.reading.tile(tile.node, tile.position, tile.first, tile.count, rows, columns, canvas.difference);
    const std::optional<float> range = canvas.reading.range(tile.node);
    if (!read || !range) return {};
    const Cells cells{*read, box};
    paint(canvas, tile, cells, *range);
    light(canvas, tile, cells);
    if (!canvas.active || box.width() < least_to_click * ui.scale) return {};
    const int largest = cells.largest();
    const Box at = box.overlap(canvas.view);
    const Response r = click_area(ui, label, at, read->values[largest]);
    const auto number = [&](int cell) { return Cell{tile.node, read->offset[cell]}; };
    // Only tiles of the chosen word take the keyboard focus: Tab chooses another word.
    const bool of_source = node_place(canvas.trace.graph()[tile.node].name).encoder;
    if (tile.position == (of_source ? canvas.state.source_word : canvas.token()) && has_keyboard(canvas, label, at)) {
        const auto& trail = canvas.frame.state.trail;
        int here = trail.empty() ? -1 : cell_of(canvas, tile, *read, trail.back());
        if (here < 0) here = largest;
        const int moved = moved_by_arrows(here, read->columns, int_size(read->values));
        if (moved >= 0 || (r.clicked && !r.hovered)) explain_number(canvas, number(moved >= 0 ? moved : here));
    }
    const int under = cells.under(ImGui::GetIO().MousePos);
    if (r.hovered) {
        const Cell cell = number(under >= 0 ? under : largest);
        point_at(canvas.frame, canvas.slot, cell, false);
        if (r.clicked) explain_number(canvas, cell);
    }
    return r;
}

bool has_keyboard(const Canvas& canvas, std::string_view label, const Box& box) {
    const Ui& ui = canvas.ui();
    if (!ui.focus->offer(label)) return false;
    draw::rounded_box(ui, box, 0, ui.theme->focus, 4, 2);
    ui.items->add("whole/focus", box, std::nullopt, label);
    return true;
}

void explain_number(const Canvas& canvas, const Cell& cell) {
    if (is_hidden_by_quiz(canvas.frame, canvas.slot, cell)) return;
    canvas.frame.state.slot = canvas.slot;
    explain(canvas.frame.state, {canvas.slot, cell});
    canvas.state.number_from = canvas.state.camera.level();
}

void open_head(const Canvas& canvas, int layer, int head, bool cross, bool source) {
    canvas.state.source = source;
    if (source) {
        canvas.state.source_block = layer, canvas.state.source_head = head;
    } else {
        choose_head(canvas.frame.state, canvas.frame.snapshot, layer, head);
        canvas.frame.state.cross_attention = cross;
    }
    canvas.state.camera.go(CanvasLevel::head, ImGui::GetTime(), canvas.ui().reduce_motion);
}

void open_number(const Canvas& canvas, const Box& on_page) {
    canvas.state.anchor = on_page;
    canvas.state.number_from = canvas.state.camera.level();
    canvas.state.camera.go(CanvasLevel::number, ImGui::GetTime(), canvas.ui().reduce_motion);
}

}  // namespace glassformer::app::views::whole_model
