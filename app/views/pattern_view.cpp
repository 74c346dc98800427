#include "app/views/pattern_view.h"

#include <algorithm>
#include <cmath>

#include "app/glossary.h"
#include "app/views/colour_legend.h"
#include "app/views/traced_value.h"
#include "app/views/what_if_paint.h"

namespace glassformer::app {

namespace {

constexpr float longest_label = 64, title_gap = 6;  // pixels at 100 %

float key_width(const Frame& frame, const HeadTrace& head, int key) {
    return draw::text_size(frame.ui, head.key_word(frame, key), FontRole::small_bold).x;
}

float widest_key(const Frame& frame, const HeadTrace& head) {
    float widest = 0;
    for (int i = 0; i < head.keys; ++i) widest = std::max(widest, key_width(frame, head, i));
    return widest;
}

float widest_word(const Frame& frame, const HeadTrace& head) {
    float widest = 0;
    for (int i = 0; i < head.n; ++i)
        widest = std::max(widest, draw::text_size(frame.ui, frame.word(head.slot, i), FontRole::small_bold).x);
    return widest;
}

/// How far the turned labels stick out to the right of the grid.
float overhang(const Frame& frame, const HeadTrace& head, const ColumnLabels& labels) {
    float most = 0;
    for (int i = 0; i < head.keys; ++i) {
        const float right = (static_cast<float>(head.keys - i) - 0.5f) * labels.pitch;
        most = std::max(most, labels.reach(frame.ui, key_width(frame, head, i)) - right);
    }
    return most;
}

/// The cell of the pattern that is pointed at in any view.
void light(const Frame& frame, const HeadTrace& head, HeatMap& map) {
    const TracedCell& cell = frame.state.hovered;
    if (cell.slot != head.slot || cell.cell.node != head.pattern.node) return;
    const std::int64_t inside = cell.cell.offset - head.pair_offset(0, 0);
    if (inside < 0 || inside >= std::int64_t{head.n} * head.keys) return;
    map.lit_row = static_cast<int>(inside / head.keys), map.lit_column = static_cast<int>(inside % head.keys);
}

void row_labels(const Frame& frame, const HeadTrace& head, const PatternLayout& at, int lit) {
    for (int row = 0; row < head.n; ++row) {
        const float y = at.grid.y + at.pitch.y * static_cast<float>(row);
        const bool strong = row == head.query || row == lit;
        const ImU32 colour = strong ? frame.ui.theme->text : frame.ui.theme->text_muted;
        draw::text_in(frame.ui, {at.words_left, y}, {at.grid.x - frame.ui.px(6), y + at.pitch.y},
                      frame.word(head.slot, row),
                      {strong ? FontRole::small_bold : FontRole::small, colour, draw::Align::right});
    }
}

void column_labels(const Frame& frame, const HeadTrace& head, const PatternLayout& at, int lit) {
    for (int column = 0; column < head.keys; ++column) {
        const float x = at.grid.x + at.pitch.x * (static_cast<float>(column) + 0.5f);
        const ImU32 colour = column == lit ? frame.ui.theme->text : frame.ui.theme->text_muted;
        at.labels.draw(frame.ui, {x, at.grid.y}, head.key_word(frame, column),
                       {column == lit ? FontRole::small_bold : FontRole::small, colour});
    }
}

void frames(const Frame& frame, const HeadTrace& head, const HeatMap& map) {
    const Ui& ui = frame.ui;
    const float out = ui.px(2);
    ImVec2 from, to;
    for (int row = 0; row < head.n; ++row) {
        for (int column = 0; column < head.keys; ++column) {
            if (!is_lit(frame.state, head.slot, head.pair_cell(head.pattern, row, column))) continue;
            map.cell(ui, row, column, from, to);
            draw::selection_frame(ui, {from.x - ui.px(1), from.y - ui.px(1)}, {to.x + ui.px(1), to.y + ui.px(1)}, 3);
        }
    }
    map.cell(ui, head.query, 0, from, to);
    draw::selection_frame(ui, {from.x - out, from.y - out}, {map.max().x + ui.px(1), to.y + out}, 4);
}

/// Words that a query may not look at are no weights of 0: a small dot in an empty cell says so.
void draw_hidden(const Frame& frame, const HeadTrace& head, const HeatMap& map) {
    const Ui& ui = frame.ui;
    ImVec2 from, to;
    for (int row = 0; row < head.n; ++row)
        for (int column = 0; column < head.keys; ++column) {
            if (!head.hidden(row, column)) continue;
            map.cell(ui, row, column, from, to);
            ui.list()->AddRectFilled(from, to, ui.theme->card);
            const ImVec2 middle{(from.x + to.x) / 2, (from.y + to.y) / 2};
            if (to.x - from.x >= ui.px(6)) ui.list()->AddCircleFilled(middle, ui.px(1), ui.theme->text_faint);
        }
}

void hit(const Frame& frame, const HeadTrace& head, const HeatMapHit& at) {
    if (at.row < 0) return;
    const std::string query = frame.word(head.slot, at.row), key = head.key_word(frame, at.column);
    const double weight = head.pair(head.pattern, at.row, at.column);
    if (at.clicked) choose_token(frame.state, frame.snapshot, head.slot, at.row);
    point_at(frame, head.slot, head.pair_cell(head.pattern, at.row, at.column), at.clicked,
             frame.ui.items->format("%s → %s  %.2f", query.c_str(), key.c_str(), weight));
}

}  // namespace

float pattern_heading(const Frame& frame, const HeadTrace& head) {
    const Ui& ui = frame.ui;
    const ColumnLabels labels{ui.px(18), ui.px(longest_label)};
    return std::max(labels.height(ui, widest_key(frame, head)), 2 * ui.line(FontRole::small) + ui.px(title_gap + 6));
}

PatternLayout pattern_layout(const Frame& frame, const HeadTrace& head, const Box& box, float cell) {
    const Ui& ui = frame.ui;
    PatternLayout at;
    at.top = box.min.y, at.words_left = box.min.x, at.side_right = box.max.x;
    const float words = std::min(std::ceil(widest_word(frame, head)), box.width() * 0.2f);
    const float title = draw::text_size(ui, "pattern", FontRole::small_bold).x;
    const float left = box.min.x + std::max(words, title - ui.px(4)) + ui.px(8);
    const float side = std::clamp(box.width() * 0.34f, ui.px(92), ui.px(200));
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
    return at;
}

void draw_pattern(const Frame& frame, const HeadTrace& head, const PatternLayout& at) {
    const Ui& ui = frame.ui;
    HeatMap map{head.n, head.keys, head.pattern.values.values(), at.grid, at.pitch};
    light(frame, head, map);
    draw::text(ui, {at.words_left, at.top}, "pattern", {FontRole::small_bold, ui.theme->attention_text});
    term_tip(ui, {at.words_left, at.top}, {at.grid.x, at.top + ui.line(FontRole::small)}, "pattern");
    const float line = ui.line(FontRole::small), legend = at.top + line + ui.px(3);
    if (weight_legend_width(ui) <= at.grid.x - at.words_left)
        draw_weight_legend(ui, {{at.words_left, legend}, {at.words_left + weight_legend_width(ui), legend + line}},
                           ui.items->format("%s/weight legend", Frame::letter(head.slot)));
    row_labels(frame, head, at, map.lit_row);
    column_labels(frame, head, at, map.lit_column);
    const HeatMapHit at_mouse = heat_map(ui, ui.items->format("%s/pattern", Frame::letter(head.slot)), map);
    if (!paint_pattern(frame, head, map, at_mouse)) hit(frame, head, at_mouse);
    draw_hidden(frame, head, map);
    frames(frame, head, map);
}

}  // namespace glassformer::app
