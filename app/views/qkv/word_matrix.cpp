#include <algorithm>
#include <cmath>

#include "app/common/explanation.h"
#include "app/common/heat_map.h"
#include "app/common/long_sentence.h"
#include "app/common/traced_value.h"
#include "app/language/tr.h"
#include "app/views/qkv/qkv.h"
#include "core/base/number_text.h"

namespace glassformer::app::views::qkv {

namespace {

constexpr float matrix_cell_least = 3, cell_most = 30, matrix_row_most = 24, matrix_word = 70,
                matrix_word_gap = 6;  // pixels at 100 %

/// Draws the words left of the rows: only as many as fit below one another, and the chosen one.
void row_words(const Frame& frame, const HeadTrace& head, const CellGrid& grid, float left) {
    const Ui& ui = frame.ui;
    const float line = ui.line(FontRole::small);
    const int every = std::max(1, static_cast<int>(std::ceil(line / grid.pitch.y - 0.05f)));
    for (int row = 0; row < head.n; ++row) {
        const bool chosen = row == head.query || row == grid.lit_row;
        if (!chosen && (row % every != 0 || std::abs(row - head.query) < every)) continue;
        const float middle = grid.min.y + grid.pitch.y * (to_float(row) + 0.5f);
        draw::text_in(ui, {{left, middle - line / 2}, {grid.min.x - ui.px(matrix_word_gap), middle + line / 2}},
                      frame.word(head.slot, row),
                      {chosen ? FontRole::small_bold : FontRole::small, chosen ? ui.theme->text : ui.theme->text_muted,
                       draw::Align::right});
    }
}

/// Height of the words above the columns.
float column_words_height(const Frame& frame, const HeadTrace& head, const ColumnLabels& labels) {
    float widest = 0;
    for (int key = 0; key < head.keys; ++key)
        widest = std::max(widest, draw::text_size(frame.ui, head.key_word(frame, key), FontRole::small).x);
    return labels.height(frame.ui, widest);
}

void column_words(const Frame& frame, const HeadTrace& head, const CellGrid& grid, const ColumnLabels& labels) {
    for (int key = 0; key < head.keys; key += labels.every(frame.ui)) {
        const bool lit = key == grid.lit_column;
        labels.draw(
            frame.ui, {grid.min.x + grid.pitch.x * (to_float(key) + 0.5f), grid.min.y}, head.key_word(frame, key),
            {lit ? FontRole::small_bold : FontRole::small, lit ? frame.ui.theme->text : frame.ui.theme->text_muted});
    }
}

/// Draws "Σ of the row of bat = 1.00".
float row_sum(const Frame& frame, const HeadTrace& head, const WordMatrix& matrix, ImVec2 at, float right) {
    const Ui& ui = frame.ui;
    double sum = 0;
    for (int key = 0; key < head.keys; ++key) sum += matrix.values[head.query * head.keys + key];
    const float line = ui.line(FontRole::small);
    const std::string text = filled(tr("Σ of the row of “{1}”: {2}"),
                                    {frame.word(head.slot, head.query), std::string(ui.items->format("%.2f", sum))});
    const Box row{at, {right, at.y + line}};
    draw::text_in(ui, row, text, {FontRole::small, ui.theme->text_muted});
    ui.items->addf(row, sum, "%s/%.*s sum", Frame::letter(head.slot), int_size(matrix.name), matrix.name.data());
    return line + ui.px(3);
}

void hit(const Frame& frame, const HeadTrace& head, const WordMatrix& matrix, const CellHit& at) {
    if (at.row < 0) return;
    const std::string names = frame.word(head.slot, at.row) + " → " + head.key_word(frame, at.column);
    const float value = matrix.values[at.row * head.keys + at.column];
    const std::string text = names + "  " + typographic(significant(value, 3));
    if (!matrix.of) return draw::tooltip(frame.ui, text);
    if (at.clicked) choose_token(frame.state, frame.snapshot, head.slot, at.row);
    point_at(frame, head.slot, head.pair_cell(*matrix.of, at.row, at.column), at.clicked, text);
}

}  // namespace

float largest_finite(std::span<const float> values) {
    float most = 0;
    for (const float value : values)
        if (std::isfinite(value)) most = std::max(most, std::abs(value));
    return most > 0 ? most : 1;
}

float draw_word_matrix(const Frame& frame, const HeadTrace& head, const WordMatrix& matrix, const Box& box) {
    const Ui& ui = frame.ui;
    const float line = ui.line(FontRole::small_bold);
    draw::text_in(ui, box.top(line), matrix.title, {FontRole::small_bold});
    ui.items->addf(box.top(line), std::nullopt, "%s/%.*s title", Frame::letter(head.slot), int_size(matrix.name),
                   matrix.name.data());
    if (draw::hovered(box.top(line))) draw::tooltip(ui, matrix.meaning);
    const float words = std::min(widest_word(frame, head.slot), std::min(ui.px(matrix_word), box.width() * 0.28f));
    CellGrid grid;
    grid.rows = head.n, grid.columns = head.keys;
    // Room on the right for the last of the turned words.
    const float room = box.width() - words - ui.px(matrix_word_gap) - ui.px(36);
    grid.pitch.x = std::clamp(room / to_float(head.keys), ui.px(matrix_cell_least), ui.px(cell_most));
    grid.pitch.y = std::min(grid.pitch.x, ui.px(matrix_row_most));
    const ColumnLabels labels{grid.pitch.x, ui.px(matrix_word)};
    const float above = column_words_height(frame, head, labels);
    grid.min = {std::floor(box.min.x + words + ui.px(matrix_word_gap)),
                std::floor(box.min.y + line + ui.px(4) + above)};
    const std::string_view label = ui.items->of_card(head.slot, "%.*s", int_size(matrix.name), matrix.name.data());
    const bool masked = matrix.colours == HeatColours::attention ||
                        std::ranges::any_of(matrix.values, [](float v) { return std::isinf(v); });
    const CellHit under = draw_cells(ui, label, grid,
                                     {head.n, head.keys, matrix.values, head.keys, matrix.colours, matrix.range,
                                      masked ? head.scores.values.values() : std::span<const float>(), matrix.key});
    if (under.row >= 0) grid.lit_row = under.row, grid.lit_column = under.column;
    row_words(frame, head, grid, box.min.x);
    column_words(frame, head, grid, labels);
    const Box row = grid.cell(ui, head.query, 0).inset(-ui.px(2));
    draw::selection_frame(ui, row.between_x(row.min.x, grid.max().x + ui.px(1)), 4);
    hit(frame, head, matrix, under);
    const float bottom = grid.max().y + ui.px(4);
    return matrix.sum_of_row ? bottom + row_sum(frame, head, matrix, {box.min.x, bottom}, box.max.x) : bottom;
}

}  // namespace glassformer::app::views::qkv
