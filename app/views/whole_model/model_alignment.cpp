#include <algorithm>

#include "app/common/heat_map.h"
#include "app/common/hidden_by_quiz.h"
#include "app/common/linked_cards.h"
#include "app/common/model_colours.h"
#include "app/common/traced_value.h"
#include "app/language/tr.h"
#include "app/views/whole_model/model_page.h"

namespace glassformer::app::views::whole_model {

namespace {

constexpr float air = 12, title = 24, names = 18, least_alignment_row = 6,
                highest_alignment_row = 24;  // pixels at 100 %

/// The row of arcs whose head is shown: the last cross-attention up to the chosen block, else the first one.
const CanvasRow* cross_row(const Canvas& c) {
    const CanvasRow* found = nullptr;
    for (const CanvasRow& row : c.layout.rows)
        if (row.cross && row.kind == RowKind::attention && (!found || row.block <= c.frame.state.layer)) found = &row;
    return found;
}

/// Draws the words that read, left of their rows, and those that are read, below their columns.
void draw_names(const Canvas& c, const Box& cells, float pitch) {
    const Theme& t = c.theme();
    const CanvasSide &source = c.layout.side(true), &side = c.layout.side(false);
    const FontRole font = c.font(FontRole::small);
    for (int word = 0; word < side.words; ++word) {
        if (!names_row(c, word, pitch, c.token())) continue;
        const float y = cells.min.y + pitch * to_float(word);
        const Box at = c.place.of({{source.labels, y}, {cells.min.x - 7 * c.unit, y + pitch}});
        const bool chosen = word == c.token();
        const FontRole fitting = c.room_for(font, pitch * 1.12f) ? font : FontRole::small;
        draw::text_in(c.ui(), at, c.word(false, word),
                      {static_cast<FontRole>(static_cast<int>(fitting) + chosen), chosen ? t.text : t.text_muted,
                       draw::Align::right});
    }
    for (int word = 0; word < source.words && c.room_for(FontRole::small, names * c.unit); ++word) {
        const float half = source.pitch() / 2;
        const Box at = c.place.of({{source.lane(word) - half + 2 * c.unit, cells.max.y + 2 * c.unit},
                                   {source.lane(word) + half - 2 * c.unit, cells.max.y + names * c.unit}});
        if (at.width() >= c.ui().px(26))
            draw::text_in(c.ui(), at, c.word(true, word), {font, t.text_muted, draw::Align::centre});
    }
}

}  // namespace

void draw_alignment(const Canvas& c) {
    const CanvasRow* row = c.layout.sides.size() > 1 && c.active && !c.difference ? cross_row(c) : nullptr;
    if (!row) return;
    const CanvasSide& source = c.layout.side(true);
    const float u = c.unit;
    float bottom = c.layout.top_of(true);  // above the source side, and above the arcs that leave it
    for (const CanvasRow& one : c.layout.rows)
        if (one.cross && one.kind == RowKind::attention) bottom = std::min(bottom, one.top);
    const int queries = c.layout.side(false).words, keys = source.words;
    const float top = c.layout.said_top + (air + title) * u,
                pitch = std::min((bottom - (air + names) * u - top) / to_float(queries), highest_alignment_row * u);
    if (pitch < least_alignment_row * u || source.from_right) return;
    const Box cells{{source.left, top}, {source.right, top + pitch * to_float(queries)}};
    const Box box = c.place.of(cells);
    const int head = c.frame.state.head;
    const std::optional<SliceView> part = c.sees(box) ? c.reading.part(row->node, {head, 1}) : std::nullopt;
    if (!part) return;
    const Ui& ui = c.ui();
    const Theme& t = c.theme();
    const Box line = c.place.of({{source.left, top - title * u}, {source.right, top - 4 * u}});
    const FontRole bold = c.font(FontRole::small_bold);
    if (c.room_for(bold, title * u))
        draw::text_in(ui, line,
                      filled(tr("attention to the source: block {1}, head {2}"),
                             {std::to_string(row->block), std::to_string(head)}),
                      {bold, mix(head_colour(t, head), t.text, 0.25f)});
    const float out = ui.px(3);
    draw::rounded_box(ui, box.inset(-out), t.card, head_colour(t, head), 5, 1);
    HeatMap grid{CellGrid::over(box, queries, keys),
                 part->values(),
                 {},
                 {c.frame.sentence(c.slot).trace, row->node, part->first()}};
    grid.hidden_row = row_hidden_by_quiz(c.frame, c.slot, {row->block, head}, true);
    const CellHit hit = heat_map(ui, c.item("alignment"), grid);
    if (hit.response.hovered && hit.row >= 0) {
        const Cell cell{row->node, part->first() + std::int64_t{hit.row} * keys + hit.column};
        point_at(c.frame, c.slot, cell, false);
        if (hit.clicked) explain_number(c, cell);
        point_at_word(c.frame, c.slot, hit.row);
    }
    if (c.token() < queries) draw::selection_frame(ui, grid.cells(ui, c.token(), 0, 1, keys).inset(-out, -1), 3);
    draw_names(c, cells, pitch);
}

}  // namespace glassformer::app::views::whole_model
