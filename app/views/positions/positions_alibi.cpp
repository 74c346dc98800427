#include <algorithm>
#include <array>
#include <cmath>

#include "app/common/explanation.h"
#include "app/common/signed_map.h"
#include "app/language/tr.h"
#include "app/views/positions/positions_sections.h"

namespace glassformer::app::views::positions {

namespace {

constexpr float row_height = 20, widest_cell = 28, curve_height = 120;  // pixels at 100 %

/// What each head subtracts: one row per head, one column per distance.
SignedMap penalty_map(const Frame& frame, std::span<const float> table, int heads, ImVec2 at, float right) {
    const Ui& ui = frame.ui;
    const float labels = draw::text_size(ui, ui.items->format(tr("head %d"), heads), FontRole::small_bold).x + ui.px(6);
    SignedMap map;
    map.rows = heads, map.columns = int_size(table) / heads, map.stride = map.columns;
    map.values = table;
    map.min = {std::floor(at.x + labels), std::floor(at.y)};
    map.pitch = {std::min((right - ui.px(3) - map.min.x) / to_float(map.columns), ui.px(widest_cell)),
                 ui.px(row_height)};
    map.range = largest_magnitude(map);
    return map;
}

void use_alibi(const Frame& frame, const SignedMap& map, const CellHit& hit) {
    if (hit.row < 0) return;
    const Ui& ui = frame.ui;
    const std::string value = shown(map.value(hit.row, hit.column));
    draw::tooltip(ui, ui.items->format(tr("head %d, %d away: %s\n−2^(−8 · %d/%d) · %d is added to the score\nClick to "
                                          "choose the head"),
                                       hit.row, hit.column, value.c_str(), hit.row + 1, map.rows, hit.column));
    if (hit.clicked) choose_head(frame.state, frame.snapshot, frame.state.layer, hit.row);
}

void head_names(const Frame& frame, const SignedMap& map, float left) {
    const Ui& ui = frame.ui;
    for (int head = 0; head < map.rows; ++head) {
        const float top = map.min.y + map.pitch.y * to_float(head);
        const bool strong = head == frame.state.head;
        draw::text_in(ui, {{left, top}, {map.min.x - ui.px(6), top + map.pitch.y}},
                      ui.items->format(tr("head %d"), head),
                      {strong ? FontRole::small_bold : FontRole::small, strong ? ui.theme->text : ui.theme->text_muted,
                       draw::Align::right});
    }
}

}  // namespace

float draw_alibi(const Frame& frame, int slot, const ModelPositions& of, const ScrollPage& page, float y) {
    const Ui& ui = frame.ui;
    const int heads = frame.model().config.n_heads, distances = std::min(of.all, most_positions);
    const std::vector<float> table = alibi_penalties(heads, distances);
    const float line = ui.line(FontRole::small), left = page.seen_left(), right = page.seen_right();
    draw::text_in(ui, {{left, y}, {right, y + line}}, tr("penalty by head and distance"), {FontRole::small_bold});
    SignedMap map = penalty_map(frame, table, heads, {left, y + line + ui.px(5)}, right);
    light_under_mouse(map);
    use_alibi(frame, map, signed_map(ui, ui.items->of_card(slot, "alibi"), map));
    head_names(frame, map, left);
    const int chosen = std::clamp(frame.state.head, 0, heads - 1);
    frame_cells(ui, map, chosen, 0, 1, distances);
    const float below = map.max().y + ui.px(14);
    const auto row = std::span(table).subspan(chosen * distances, distances);
    const std::array<DistanceCurve, 1> curves{
        {{row, false, ui.items->of_card(slot, "alibi distance"), tr("added to the score")}}};
    const Box curve{{left, below}, {right, below + ui.px(curve_height)}};
    draw_distance_curves(frame, curves, -map.range, 0, ui.items->format(tr("what head %d adds, by distance"), chosen),
                         curve);
    return curve.max.y + ui.px(6);
}

}  // namespace glassformer::app::views::positions
