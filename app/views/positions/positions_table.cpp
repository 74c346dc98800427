#include <algorithm>
#include <cmath>

#include "app/common/explanation.h"
#include "app/common/signed_map.h"
#include "app/common/traced_value.h"
#include "app/language/tr.h"
#include "app/views/positions/positions_sections.h"

namespace glassformer::app::views::positions {

namespace {

constexpr float cell_least = 3, cell_widest = 18, position_row_height = 15, longest_label = 84;  // pixels at 100 %

float label_width(const Frame& frame, int slot, int positions) {
    float widest = 0;
    for (int p = 0; p < positions; ++p)
        widest = std::max(widest, draw::text_size(frame.ui, position_label(frame, slot, p), FontRole::small_bold).x);
    return std::ceil(std::min(widest, frame.ui.px(longest_label))) + frame.ui.px(6);
}

void labels(const Frame& frame, int slot, const SignedMap& map, float left, float right) {
    const Ui& ui = frame.ui;
    const SeenCells seen = seen_cells(map);
    for (int row = seen.row; row < seen.row_end; ++row) {
        const float y = map.min.y + map.pitch.y * to_float(row);
        const bool strong = row == frame.state.token[slot] || row == map.lit_row;
        draw::text_in(ui, {{left, y}, {right, y + map.pitch.y}}, position_label(frame, slot, row),
                      {strong ? FontRole::small_bold : FontRole::small, strong ? ui.theme->text : ui.theme->text_muted,
                       draw::Align::right});
    }
}

/// Handles the cell under the mouse: opens it if it is the model's; else shows how it depends on the position.
void use(const Frame& frame, int slot, const SignedMap& map, const ModelPositions* of, const CellHit& hit) {
    if (hit.row < 0) return;
    const auto cell = of ? of->cell(hit.row, hit.column) : std::nullopt;
    const std::string value = precise(map.value(hit.row, hit.column));
    if (cell)
        return point_at(frame, slot, *cell, hit.clicked,
                        frame.ui.items->format(tr("position %d, feature %d: %s"), hit.row, hit.column, value.c_str()));
    const bool rotary = of && of->kind == Positions::rotary, even = hit.column % 2 == 0;
    const char* wave = even == rotary ? "cos" : "sin";
    draw::tooltip(frame.ui,
                  frame.ui.items->format(tr("position %d, feature %d: %s\n%s of position %d · 10000^(−%d/%d)"), hit.row,
                                         hit.column, value.c_str(), wave, hit.row, hit.column / 2 * 2, map.columns));
}

void frame_explained(const Frame& frame, int slot, const SignedMap& map, const ModelPositions* of) {
    if (!of || !of->code || frame.state.trail.empty() || frame.state.trail.back().slot != slot) return;
    const Cell& cell = frame.state.trail.back().cell;
    const bool here =
        (cell.node == of->node && cell.offset < std::int64_t{of->in_sentence} * map.columns) || cell.node == of->table;
    const auto row = static_cast<int>(cell.offset / map.columns);
    if (cell.node >= 0 && here && row < map.rows)
        frame_cells(frame.ui, map, row, static_cast<int>(cell.offset % map.columns), 1, 1);
}

}  // namespace

std::string_view position_label(const Frame& frame, int slot, int position) {
    if (position >= int_size(frame.sentence(slot).tokens)) return frame.ui.items->format("%d", position);
    return frame.ui.items->format("%d %s", position, frame.word(slot, position).c_str());
}

float position_table_width(const Frame& frame, int slot, int positions, int width) {
    return label_width(frame, slot, positions) + std::max(2.0f, frame.ui.scale * cell_least) * to_float(width) +
           frame.ui.px(3);
}

float draw_position_table(const Frame& frame, int slot, const PositionCode& code, const ModelPositions* of,
                          const CodeName& name, const ScrollPage& page, float y) {
    const Ui& ui = frame.ui;
    const float line = ui.line(FontRole::small), words = label_width(frame, slot, code.positions);
    draw::text_in(ui, {{page.seen_left(), y}, {page.seen_right(), y + line}}, name.title, {FontRole::small_bold});
    y += line + ui.px(5);
    SignedMap map;
    map.rows = code.positions, map.columns = code.width, map.stride = code.width, map.values = code.values;
    map.key = {name.owner, 0, 0};
    map.range = largest_magnitude(map);
    const float room = page.inside().width() - words - ui.px(3);
    map.pitch = {std::clamp(room / to_float(code.width), std::max(2.0f, ui.scale * cell_least), ui.px(cell_widest)),
                 ui.px(position_row_height)};
    map.min = {std::floor(page.inside().min.x + words), std::floor(y)};
    light_under_mouse(map);
    ImGui::PushClipRect({page.seen_left() + words - ui.px(3), page.inside().min.y},
                        {page.seen_right() + ui.px(12), map.max().y + ui.px(4)}, true);
    use(frame, slot, map, of, signed_map(ui, name.item, map));
    frame_explained(frame, slot, map, of);
    ImGui::PopClipRect();
    labels(frame, slot, map, page.seen_left(), page.seen_left() + words - ui.px(6));
    const float bottom = map.max().y + ui.px(2);
    draw::text(ui, {map.min.x, bottom}, "0", {FontRole::small, ui.theme->text_faint});
    draw::text(ui, {map.max().x, bottom}, ui.items->format("%d", code.width - 1),
               {FontRole::small, ui.theme->text_faint, draw::Align::right});
    draw::text(ui, {(map.min.x + map.max().x) / 2, bottom}, tr("feature"),
               {FontRole::small, ui.theme->text_faint, draw::Align::centre});
    return bottom + line + ui.px(8);
}

}  // namespace glassformer::app::views::positions
