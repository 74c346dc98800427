#include "app/common/pattern_view.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "app/common/colour_legend.h"
#include "app/common/glossary.h"
#include "app/common/grid_window.h"
#include "app/common/linked_cards.h"
#include "app/common/long_sentence.h"
#include "app/common/predict_first.h"
#include "app/common/stage_motion.h"
#include "app/common/traced_value.h"
#include "app/common/what_if_paint.h"
#include "app/language/tr.h"

namespace glassformer::app {

namespace {

constexpr float longest_label = 64, title_gap = 6;  // pixels at 100 %
constexpr float key_step = 1.6f;                    // zoom factor per key press

float key_width(const Frame& frame, const HeadTrace& head, int key) {
    return draw::text_size(frame.ui, head.key_word(frame, key), FontRole::small_bold).x;
}

float widest_key(const Frame& frame, const HeadTrace& head) { return widest_word(frame, head.slot, head.cross); }

/// Width of the widest row name.
float widest_query(const Frame& frame, const HeadTrace& head) {
    if (!frame.model(head.slot).translates()) return widest_word(frame, head.slot);
    float widest = 0;
    for (int row = 0; row < head.n; ++row)
        widest = std::max(widest, draw::text_size(frame.ui, head.query_name(frame, row), FontRole::small_bold).x);
    return widest;
}

/// The most width that row names may take.
float most_of_names(const Frame& frame, const HeadTrace& head, const Box& box) {
    return box.width() * (frame.model(head.slot).translates() ? 0.3f : 0.2f);
}

/// How far the rotated labels extend to the right of the grid.
float overhang(const Frame& frame, const HeadTrace& head, const ColumnLabels& labels) {
    float most = 0;
    for (int i = 0; i < head.keys; ++i) {
        const float right = (static_cast<float>(head.keys - i) - 0.5f) * labels.pitch;
        most = std::max(most, labels.reach(frame.ui, key_width(frame, head, i)) - right);
    }
    return most;
}

/// Row and column of a cell of the head's pattern; −1 for any other cell.
CellHit place_of(const HeadTrace& head, const Cell& cell) {
    const std::int64_t inside = cell.offset - head.pair_offset(0, 0);
    if (cell.node != head.pattern.node || inside < 0 || inside >= std::int64_t{head.n} * head.keys) return {};
    return {static_cast<int>(inside / head.keys), static_cast<int>(inside % head.keys), false, {}};
}

/// Highlights the pattern's cell that is under the mouse in any view.
void light(const Frame& frame, const HeadTrace& head, HeatMap& map) {
    const CellHit lit = place_of(head, lit_cell(frame.state, head.slot));
    map.lit_row = lit.row, map.lit_column = lit.column;
}

void row_labels(const Frame& frame, const HeadTrace& head, const PatternLayout& at, int lit) {
    for (const int row : at.rows) {
        const float y = at.row_y(row);
        const bool strong = row == head.query || row == lit;
        const ImU32 colour = strong ? frame.ui.theme->text : frame.ui.theme->text_muted;
        const std::string name = head.query_name(frame, row);
        if (frame.model(head.slot).translates())
            frame.ui.items->add(frame.ui.items->format("%s/row %d", Frame::letter(head.slot), row),
                                {{at.words_left, y}, {at.grid_left() - frame.ui.px(6), y + at.row_height}},
                                std::nullopt, name);
        draw::text_in(frame.ui, {{at.words_left, y}, {at.grid_left() - frame.ui.px(6), y + at.row_height}}, name,
                      {strong ? FontRole::small_bold : FontRole::small, colour, draw::Align::right});
    }
}

void column_label(const Frame& frame, const HeadTrace& head, const PatternLayout& at, int column, bool lit) {
    const float x = at.grid.x + at.pitch.x * (static_cast<float>(column) + 0.5f);
    at.labels.draw(
        frame.ui, {x, at.columns_y}, head.key_word(frame, column),
        {lit ? FontRole::small_bold : FontRole::small, lit ? frame.ui.theme->text : frame.ui.theme->text_muted});
}

void column_labels(const Frame& frame, const HeadTrace& head, const PatternLayout& at, int lit) {
    const float room = at.labels.pitch / at.pitch.x;  // columns between two names
    const int every = at.windowed ? std::max(1, static_cast<int>(std::lround(room))) : at.labels.every(frame.ui);
    for (int column = 0; column < head.keys; column += every) {
        const float x = at.grid.x + at.pitch.x * (static_cast<float>(column) + 0.5f);
        const bool beside_lit = lit >= 0 && column != lit && std::abs(column - lit) < every;
        const bool seen = !at.windowed || (x >= at.window.min.x && x <= at.window.max.x);
        if (seen && !beside_lit) column_label(frame, head, at, column, column == lit);
    }
    if (lit >= 0 && lit < head.keys && lit % every != 0) column_label(frame, head, at, lit, true);
}

/// Draws gold frames around the chosen row, and around the cells that are explained or under the mouse.
void frames(const Frame& frame, const HeadTrace& head, const HeatMap& map) {
    const Ui& ui = frame.ui;
    const auto about = [&](const TracedCell& at) {
        const CellHit place = place_of(head, at.cell);
        if (at.slot != head.slot || place.row < 0 || waits_for_guess(frame, head, place.row)) return;
        const Box cell = map.cell(ui, place.row, place.column);
        note_place(frame, head.slot, at.cell, cell);
        draw::selection_frame(ui, cell.inset(-ui.px(1)), 3);
    };
    const SeenCells seen = seen_cells(map);
    for (int column = seen.column; column < seen.column_end; ++column)
        note_place(frame, head.slot, head.pair_cell(head.pattern, head.query, column),
                   map.cell(ui, head.query, column));
    about(frame.state.hovered);
    about(frame.state.linked);
    if (!frame.state.trail.empty()) about(frame.state.trail.back());
    const Box row = map.cell(ui, head.query, 0).inset(-ui.px(2));
    draw::selection_frame(ui, row.between_x(row.min.x, map.max().x + ui.px(1)), 4);
}

void hit(const Frame& frame, const HeadTrace& head, const CellHit& at) {
    if (at.row < 0) return;
    const std::string query = head.query_name(frame, at.row), key = head.key_word(frame, at.column);
    const bool clicked = at.clicked && !frame.state.own<PatternViewState>().window[head.slot].dragged;
    if (waits_for_guess(frame, head, at.row)) {
        if (at.row != head.query) return draw::tooltip(frame.ui, tr("Answer the lesson's question first."));
        ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
        draw::tooltip(frame.ui,
                      frame.ui.items->format(tr("Guess that “%s” attends most to “%s”"), query.c_str(), key.c_str()));
        if (clicked) guess(frame, head, at.column);
        return;
    }
    const double weight = head.pair(head.pattern, at.row, at.column);
    if (clicked) choose_token(frame.state, frame.snapshot, head.slot, at.row);
    point_at(frame, head.slot, head.pair_cell(head.pattern, at.row, at.column), clicked,
             frame.ui.items->format("%s → %s  %.2f", query.c_str(), key.c_str(), weight));
}

/// Zooms about the cell that the chosen word attends to most; about its own while that must still be guessed.
void answer_keys(const Frame& frame, const HeadTrace& head, GridView& view, const Box& window, const CellGrid& grid) {
    const int asked = std::exchange(frame.state.own<PatternViewState>().zoom_asked, 0);
    if (asked == 0) return;
    if (asked == 2) return void(view = {.row = view.row});
    const int key =
        waits_for_guess(frame, head, head.query) ? std::min(head.query, head.keys - 1) : head.strongest(head.query);
    const ImVec2 cell{grid.min.x + grid.pitch.x * (static_cast<float>(key) + 0.5f),
                      grid.min.y + grid.pitch.y * (static_cast<float>(head.query) + 0.5f)};
    const ImVec2 about{std::clamp(cell.x, window.min.x, window.max.x), std::clamp(cell.y, window.min.y, window.max.y)};
    zoom_grid(frame.ui, view, grid, window, asked > 0 ? key_step : 1 / key_step, about);
}

/// Names as many rows as fit below one another; the chosen word's name wins over its neighbours'.
void name_rows(PatternLayout& at, const HeadTrace& head) {
    const int every = std::max(1, static_cast<int>(std::ceil(at.row_height / at.pitch.y - 0.01f)));
    for (int row = 0; row < head.n; row += every) {
        const float y = at.row_y(row) + at.row_height / 2;
        if (y < at.window.min.y || y > at.window.max.y) continue;
        if (row != head.query && std::abs(row - head.query) < every) continue;
        at.rows.push_back(row);
    }
    const float y = at.row_y(head.query) + at.row_height / 2;
    const bool there = head.query % every == 0 || y < at.window.min.y || y > at.window.max.y;
    if (!there) at.rows.push_back(head.query);
}

/// Draws the title and the colour legend; for a long sentence also its size.
void draw_title(const Frame& frame, const HeadTrace& head, const PatternLayout& at) {
    const Ui& ui = frame.ui;
    const float line = ui.line(FontRole::small), top = at.windowed ? at.top - ui.px(24) : at.top;
    draw::text(ui, {at.words_left, top}, tr("pattern"), {FontRole::small_bold, ui.theme->attention_text});
    const float width = draw::text_size(ui, tr("pattern"), FontRole::small_bold).x;
    term_tip(ui, {{at.words_left, top}, {std::min(at.grid_left(), at.words_left + width), top + line}}, "pattern");
    if (at.windowed) {
        const std::string_view size = ui.items->format("%d × %d", head.n, head.keys);
        draw::text_in(ui, {{at.words_left + width + ui.px(8), top}, {at.title_right - ui.px(6), top + line}}, size,
                      {FontRole::small, ui.theme->text_muted});
    }
    const float legend = at.windowed ? at.top : at.top + line + ui.px(3);
    if (weight_legend_width(ui) <= at.grid_left() - at.words_left)
        draw_weight_legend(ui, {{at.words_left, legend}, {at.words_left + weight_legend_width(ui), legend + line}},
                           ui.items->format("%s/weight legend", Frame::letter(head.slot)));
}

/// Registers what a picture of the pattern alone needs: its title, and the names of its rows and columns.
void note_named(const Frame& frame, const HeadTrace& head, const PatternLayout& at, const HeatMap& map) {
    const Ui& ui = frame.ui;
    const float margin = ui.px(4), line = at.windowed ? ui.px(24) : 0;
    const ImVec2 end = at.windowed ? at.window.max : map.max();
    const float names = at.windowed ? at.labels.reach(ui, widest_key(frame, head)) : overhang(frame, head, at.labels);
    ui.items->add(ui.items->format("%s/pattern with names", Frame::letter(head.slot)),
                  {{at.words_left - margin, at.top - line}, {end.x + std::max(names, margin), end.y + margin}});
}

}  // namespace

float pattern_heading(const Frame& frame, const HeadTrace& head) {
    const Ui& ui = frame.ui;
    const ColumnLabels labels{ui.px(18), ui.px(longest_label)};
    return std::max(labels.height(ui, widest_key(frame, head)), 2 * ui.line(FontRole::small) + ui.px(title_gap + 6));
}

PatternLayout pattern_layout(const Frame& frame, const HeadTrace& head, const Box& box, float cell, bool with_side) {
    const Ui& ui = frame.ui;
    PatternLayout at;
    at.top = box.min.y, at.words_left = box.min.x, at.side_right = box.max.x;
    const float words = std::min(std::ceil(widest_query(frame, head)), most_of_names(frame, head, box));
    const float title = draw::text_size(ui, tr("pattern"), FontRole::small_bold).x;
    const float left = box.min.x + std::max(words, title - ui.px(4)) + ui.px(8);
    const float side = with_side ? std::clamp(box.width() * 0.34f, ui.px(92), ui.px(200)) : 0;
    const float n = static_cast<float>(head.keys);
    float gap = ui.px(14);
    for (int pass = 0; pass < 2; ++pass) {
        at.pitch = {std::min((box.max.x - side - gap - left) / n, cell * 1.25f), cell};
        at.labels = {at.pitch.x, ui.px(longest_label)};
        gap = std::max(ui.px(14), overhang(frame, head, at.labels) + ui.px(4));
    }
    at.grid = {std::floor(left), std::floor(box.min.y + pattern_heading(frame, head))};
    at.side_left = std::floor(at.grid.x + at.pitch.x * n + gap);
    at.side_right = std::min(at.side_right, at.side_left + ui.px(260));
    at.row_height = at.pitch.y, at.columns_y = at.grid.y;
    at.rows.resize(head.n);
    std::iota(at.rows.begin(), at.rows.end(), 0);
    return at;
}

PatternLayout pattern_window(const Frame& frame, const HeadTrace& head, const Box& box) {
    const Ui& ui = frame.ui;
    GridView& view = frame.state.own<PatternViewState>().window[head.slot];
    const float buttons = ui.px(22), line = ui.line(FontRole::small), legend = weight_legend_width(ui);
    const float words =
        std::min(std::ceil(std::max(widest_query(frame, head), legend)), most_of_names(frame, head, box));
    const float side = std::clamp(box.width() * 0.3f, ui.px(92), ui.px(200));
    PatternLayout at;
    at.windowed = true;
    at.words_left = box.min.x, at.top = box.min.y + buttons + ui.px(4);
    at.labels = {line + ui.px(2), ui.px(longest_label)};
    const float gap = std::max(ui.px(14), at.labels.reach(ui, widest_key(frame, head)) + ui.px(4));
    at.columns_y = std::floor(at.top + std::max(at.labels.height(ui, widest_key(frame, head)), 2 * line + ui.px(8)));
    at.window = {{std::floor(box.min.x + words + ui.px(8)), at.columns_y}, {box.max.x - side - gap, box.max.y}};
    // No wider than the whole grid needs, so that what is beside it stays near.
    const float whole = at.window.height() * static_cast<float>(head.keys) / static_cast<float>(head.n);
    at.window.max.x = std::floor(std::min(at.window.max.x, at.window.min.x + std::max(whole, ui.px(120))));
    CellGrid grid = place_grid(ui, view, at.window, head.n, head.keys);
    follow_row(view, grid, at.window, head.query);
    if (frame.state.slot == head.slot) answer_keys(frame, head, view, at.window, grid);
    const Box row = box.top(buttons);
    at.title_right = draw_zoom_buttons(frame, ui.items->format("%s/pattern zoom", Frame::letter(head.slot)), view, grid,
                                       at.window, row);
    grid = place_grid(ui, view, at.window, head.n, head.keys);
    at.grid = grid.min, at.pitch = grid.pitch;
    at.window.max = {std::min(at.window.max.x, grid.max().x), std::min(at.window.max.y, grid.max().y)};
    at.side_left = at.window.max.x + gap, at.side_right = std::min(box.max.x, at.side_left + ui.px(260));
    at.row_height = std::max(at.pitch.y, line + ui.px(2));
    name_rows(at, head);
    return at;
}

void draw_pattern(const Frame& frame, const HeadTrace& head, const PatternLayout& at) {
    const Ui& ui = frame.ui;
    HeatMap map;
    map.rows = head.n, map.columns = head.keys, map.min = at.grid, map.pitch = at.pitch;
    map.values = head.pattern.values.values(), map.scores = head.scores.values.values();
    map.key = {frame.sentence(head.slot).trace, head.pattern.node, head.pair_offset(0, 0)};
    map.draggable = at.windowed || frame.state.own<RowPainting>().on;
    light(frame, head, map);
    for (int row = 0; row < head.n; ++row)
        if (waits_for_guess(frame, head, row)) (map.hidden_row < 0 ? map.hidden_row : map.hidden_row_too) = row;
    note_named(frame, head, at, map);
    draw_title(frame, head, at);
    row_labels(frame, head, at, map.lit_row);
    column_labels(frame, head, at, map.lit_column);
    const std::string_view label = ui.items->format("%s/pattern", Frame::letter(head.slot));
    if (!at.windowed) {
        const CellHit under = heat_map(ui, label, map);
        if (!paint_pattern(frame, head, map, under)) hit(frame, head, under);
        frames(frame, head, map);
        return draw_draft(frame, head, map);
    }
    ImGui::PushClipRect(at.window.min, at.window.max, true);
    CellHit under = heat_map(ui, label, map);
    frames(frame, head, map);
    draw_draft(frame, head, map);
    ImGui::PopClipRect();
    if (paint_pattern(frame, head, map, under))
        under.response.held = under.response.double_clicked = false;  // only the wheel moves it now
    else
        hit(frame, head, under);
    move_grid(frame, frame.state.own<PatternViewState>().window[head.slot], map, at.window, under.response);
}

}  // namespace glassformer::app
