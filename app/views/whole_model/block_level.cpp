#include <algorithm>
#include <cmath>
#include <tuple>

#include "app/common/hidden_by_quiz.h"
#include "app/common/linked_cards.h"
#include "app/common/model_colours.h"
#include "app/common/traced_value.h"
#include "app/ui/cell_grid.h"
#include "app/views/whole_model/block_layout.h"
#include "app/views/whole_model/canvas.h"
#include "app/views/whole_model/model_page.h"

namespace glassformer::app::views::whole_model {

namespace {

constexpr float least_named = 0.8f;  // in pixels: narrower cells are not items

BlockPage page_of(const Canvas& c) {
    const CanvasSide& side = c.layout.side(false);
    const int source = c.layout.sides.size() > 1 ? c.layout.sides[0].words : 0;
    const bool says = !c.state.source && c.reading.lens().why_not().empty() && side.words <= 24;
    return lay_out_block(c.trace.graph(), c.block(), c.state.source,
                         {c.view.width(), c.view.height(), c.unit, side.words, source, says});
}

/// Draws the page of level "block" once.
class BlockDrawing {
public:
    explicit BlockDrawing(const Canvas& canvas) : c_(canvas), ui_(canvas.ui()), page_(page_of(canvas)) {}

    void draw();

private:
    int gold(const BlockMatrix& m) const {
        return m.of_source == c_.state.source ? std::min(c_.word_looked_at(), m.rows - 1) : -1;
    }
    std::string_view label(const BlockMatrix& m) const {
        return ui_.items->format("whole/%s/%s", Frame::letter(c_.slot), m.key.c_str());
    }
    Box part_of(const BlockMatrix& m, int head) const;
    void draw_card(const BlockCard& card) const;
    void draw_line(const BlockLine& line) const;
    void draw_caption(const BlockMatrix& m) const;
    void draw_words(const BlockLine& line, const BlockMatrix& m) const;
    void draw_matrix(const BlockMatrix& m) const;
    /// Font of the words before the rows.
    FontRole larger_where_it_fits(float pitch, bool chosen) const {
        const FontRole plain = chosen ? FontRole::small_bold : FontRole::small,
                       larger = c_.font(chosen ? FontRole::small_bold : FontRole::small);
        return c_.room_for(larger, pitch * 1.12f) ? larger : plain;
    }
    void draw_pattern(const BlockMatrix& m) const;
    void draw_part(const BlockMatrix& m, int head) const;
    void use(const BlockMatrix& m, const CellHit& hit, int first_column, const CellGrid& grid) const;
    void use_keys(const BlockMatrix& m, const SliceView& part, std::string_view name, const CellHit& hit,
                  int first_column, const CellGrid& grid) const;
    void take(const BlockMatrix& m, const CellGrid& grid, int row, int column, int first_column) const;
    std::optional<std::pair<int, int>> place_in(const BlockMatrix& m, const Cell& at, int first_column,
                                                const CellGrid& grid) const;
    void name_row(const BlockMatrix& m, const SliceView& part, int first_column, const CellGrid& grid) const;
    void light(const BlockMatrix& m, int first_column, const CellGrid& grid) const;
    void draw_gold(const BlockLine& line) const;
    Cell cell(const BlockMatrix& m, int row, int column) const;

    const Canvas& c_;
    const Ui& ui_;
    BlockPage page_;
};

Cell BlockDrawing::cell(const BlockMatrix& m, int row, int column) const {
    const std::int64_t head = m.kind == MatrixKind::pattern ? m.head : 0;
    return {m.node, (head * m.rows + row) * m.columns + column};
}

/// The columns of one head, without the gap to the next head.
Box BlockDrawing::part_of(const BlockMatrix& m, int head) const {
    const float step = m.box.width() / to_float(m.heads), gap = std::min(3 * c_.unit, step * 0.1f);
    const float left = m.box.min.x + step * to_float(head);
    return m.box.between_x(left, left + step - (m.heads > 1 ? gap : 0));
}

void BlockDrawing::take(const BlockMatrix& m, const CellGrid& grid, int row, int column, int first_column) const {
    const Cell at = cell(m, row, first_column + column);
    if (is_hidden_by_quiz(c_.frame, c_.slot, at)) return;
    if (m.kind == MatrixKind::pattern && c_.state.source) c_.state.source_head = m.head;
    if (m.kind == MatrixKind::pattern && !c_.state.source)
        choose_head(c_.frame.state, c_.frame.snapshot, c_.frame.state.layer, m.head);
    explain_number(c_, at);
    const Box box = grid.cell(ui_, row, column);
    c_.state.anchor = {c_.place.under(box.min), c_.place.under(box.max)};
}

void BlockDrawing::use(const BlockMatrix& m, const CellHit& hit, int first_column, const CellGrid& grid) const {
    if (!hit.response.hovered || hit.row < 0) return;
    point_at(c_.frame, c_.slot, cell(m, hit.row, first_column + hit.column), false);
    if (!m.of_source) point_at_word(c_.frame, c_.slot, hit.row);
    if (hit.clicked) take(m, grid, hit.row, hit.column, first_column);
}

/// Keyboard focus on a matrix: Enter explains a number of the gold row, the arrows lead to its neighbours.
void BlockDrawing::use_keys(const BlockMatrix& m, const SliceView& part, std::string_view name, const CellHit& hit,
                            int first_column, const CellGrid& grid) const {
    if (!has_keyboard(c_, name, Box{grid.min, grid.max()}.overlap(c_.view))) return;
    int row = std::max(0, gold(m)), column = 0;
    const Cell first = cell(m, row, first_column);
    const auto of_row = part.cells(first.offset, grid.columns);
    for (int i = 1; i < grid.columns; ++i)
        if (std::abs(of_row[i]) > std::abs(of_row[column])) column = i;
    if (const auto& trail = c_.frame.state.trail; !trail.empty() && trail.back().slot == c_.slot)
        if (const auto at = place_in(m, trail.back().cell, first_column, grid)) std::tie(row, column) = *at;
    const int moved = moved_by_arrows(row * grid.columns + column, grid.columns, grid.rows * grid.columns);
    if (moved >= 0) return take(m, grid, moved / grid.columns, moved % grid.columns, first_column);
    if (hit.response.clicked && !hit.response.hovered) take(m, grid, row, column, first_column);
}

/// Row and column of a number in a grid of this matrix; none if it is not in the grid.
std::optional<std::pair<int, int>> BlockDrawing::place_in(const BlockMatrix& m, const Cell& at, int first_column,
                                                          const CellGrid& grid) const {
    const std::int64_t in = at.offset - (m.kind == MatrixKind::pattern ? std::int64_t{m.head} * m.rows * m.columns : 0);
    const std::int64_t row = in / m.columns, column = in % m.columns - first_column;
    if (at.node != m.node || in < 0 || row >= m.rows || column < 0 || column >= grid.columns) return std::nullopt;
    return std::pair(static_cast<int>(row), static_cast<int>(column));
}

/// Registers the chosen word's numbers as items, for lessons, scripts and tests.
void BlockDrawing::name_row(const BlockMatrix& m, const SliceView& part, int first_column, const CellGrid& grid) const {
    const int row = gold(m);
    if (row < 0 || row >= m.rows || !c_.active || grid.pitch.x < least_named) return;
    for (int column = 0; column < grid.columns; ++column) {
        const Box box = grid.cell(ui_, row, column);
        if (!c_.sees(box)) continue;
        const Cell at = cell(m, row, first_column + column);
        if (is_hidden_by_quiz(c_.frame, c_.slot, at)) continue;
        const std::string_view name = label(m);
        ui_.items->addf(box, part.at(at.offset), "%.*s %d %d", int_size(name), name.data(), row, first_column + column);
    }
}

void BlockDrawing::light(const BlockMatrix& m, int first_column, const CellGrid& grid) const {
    const ViewState& state = c_.frame.state;
    for (const TracedCell* at : {&state.hovered, &state.linked, state.trail.empty() ? nullptr : &state.trail.back()}) {
        if (!at || at->slot != c_.slot || !is_lit(state, c_.slot, at->cell)) continue;
        const auto place = place_in(m, at->cell, first_column, grid);
        if (!place) continue;
        draw::selection_frame(ui_, grid.cell(ui_, place->first, place->second).inset(-ui_.px(1)), 2);
    }
}

void BlockDrawing::draw_part(const BlockMatrix& m, int head) const {
    const Box box = c_.place.of(part_of(m, head));
    if (!c_.sees(box)) return;
    const bool neurons = m.kind == MatrixKind::neurons;
    const Theme& t = c_.theme();
    const float out = ui_.px(2);
    const ImU32 frame = m.heads * m.shared_by > 1 ? head_colour(t, head * m.shared_by)
                        : neurons                 ? mix(t.card, t.mlp, 0.35f)
                                                  : t.card_border;
    draw::rounded_box(ui_, box.inset(-out), neurons ? signed_colours(t, HeatColours::neurons).zero : t.card, frame, 4,
                      1);
    const std::optional<SliceView> part = c_.reading.part(m.node, c_.trace.slices(m.node).all());
    const std::optional<float> range = c_.reading.range(m.node);
    if (!part || !range) return;
    const int columns = m.columns / m.heads;
    const CellGrid grid = CellGrid::over(box, m.rows, columns);
    const HeatMatrix matrix{m.rows,
                            columns,
                            part->values().subspan(head * columns),
                            m.columns,
                            neurons ? HeatColours::neurons : HeatColours::signed_values,
                            *range,
                            {},
                            {c_.frame.sentence(c_.slot).trace, m.node, std::int64_t{head} * columns}};
    if (!c_.active) return draw_heat(ui_, matrix, box);
    const std::string_view name =
        m.heads > 1 ? ui_.items->format("whole/%s/%s head %d", Frame::letter(c_.slot), m.key.c_str(), head) : label(m);
    const CellHit hit = draw_cells(ui_, name, grid, matrix, false);
    use(m, hit, head * columns, grid);
    use_keys(m, *part, name, hit, head * columns, grid);
    name_row(m, *part, head * columns, grid);
    light(m, head * columns, grid);
}

void BlockDrawing::draw_pattern(const BlockMatrix& m) const {
    const Box box = c_.place.of(m.box);
    if (!c_.sees(box)) return;
    const bool cross = m.keys_of_source && !c_.state.source;
    CellGrid map = CellGrid::over(box, m.rows, m.columns);
    if (!c_.state.source) map.hidden_row = row_hidden_by_quiz(c_.frame, c_.slot, {c_.frame.state.layer, m.head}, cross);
    const bool chosen = m.head == c_.head() && (c_.state.source || cross == c_.frame.state.cross_attention);
    const float out = ui_.px(2);
    draw::rounded_box(ui_, box.inset(-out), c_.theme().card, head_colour(c_.theme(), m.head), 4, chosen ? 2.0f : 1.0f);
    const std::optional<SliceView> part = c_.reading.part(m.node, {m.head, 1});
    if (!part) return;
    const HeatMatrix matrix{.rows = m.rows,
                            .columns = m.columns,
                            .values = part->values(),
                            .stride = m.columns,
                            .key = {c_.frame.sentence(c_.slot).trace, m.node, part->first()}};
    if (!c_.active) return draw_heat(ui_, matrix, box);
    const CellHit hit = draw_cells(ui_, label(m), map, matrix, false);
    use(m, hit, 0, map);
    use_keys(m, *part, label(m), hit, 0, map);
    name_row(m, *part, 0, map);
    light(m, 0, map);
    const int row = gold(m);
    if (row < 0 || row >= m.rows || map.hidden_row == row) return;
    // Writes the largest weight into its cell.
    const auto of_row = part->values().subspan(row * m.columns, m.columns);
    const int most = static_cast<int>(std::ranges::max_element(of_row) - of_row.begin());
    const float weight = of_row[most];
    const Box cell = map.cell(ui_, row, most);
    const std::string_view text = ui_.items->format("%.2f", weight).substr(weight < 0.995f ? 1 : 0);
    const float over = ui_.px(3);  // it may extend over the next cell on each side
    if (draw::text_size(ui_, text, FontRole::small_bold).x <= cell.width() + 2 * over &&
        cell.height() >= ui_.line(FontRole::small) * 0.7f)
        draw::text_in(ui_, cell.inset(-over, 0), text,
                      {FontRole::small_bold, Theme::text_on(c_.theme().attention_colour(weight)), draw::Align::centre});
}

void BlockDrawing::draw_caption(const BlockMatrix& m) const {
    if (page_.caption_lines == 0) return;
    const float gap = 3 * c_.unit, air = m.kind == MatrixKind::pattern ? 8 : 26;
    const Box at =
        c_.place.of({{m.box.min.x, m.box.min.y - page_.caption}, {m.box.max.x + air * c_.unit, m.box.min.y - gap}});
    const auto lines = to_float(page_.caption_lines);
    const auto fits = [&](FontRole role) { return c_.room_for(role, (page_.caption - gap) / lines); };
    const FontRole plain = fits(c_.font(FontRole::small)) ? c_.font(FontRole::small) : FontRole::small;
    if (!fits(plain) || !c_.sees(at)) return;
    const auto bold = static_cast<FontRole>(static_cast<int>(plain) + 1);
    const Theme& t = c_.theme();
    const float line = ui_.line(plain);
    const std::string& node = c_.trace.graph()[m.node].name;
    const ImU32 ink =
        m.kind == MatrixKind::pattern ? mix(head_colour(t, m.head), t.text, 0.25f) : node_text_colour(t, node);
    const bool both = page_.caption_lines > 1 && at.height() >= 2 * line - 1;
    const float y = std::round(at.max.y - (both ? 2 : 1) * line);
    const bool number_alone = m.kind == MatrixKind::pattern && draw::text_size(ui_, m.title, bold).x > at.width();
    draw::text_in(ui_, at.between_y(y, y + line), number_alone ? std::to_string(m.head) : m.title,
                  {bold, m.kind == MatrixKind::stream && m.key != "x" ? t.text : ink});
    if (both && draw::text_size(ui_, m.below, plain).x <= at.width())
        draw::text_in(ui_, at.between_y(y + line, y + 2 * line), m.below, {plain, t.text_muted});
}

/// Draws the words before a line, and before a matrix whose rows are those of the other sentence.
void BlockDrawing::draw_words(const BlockLine& line, const BlockMatrix& m) const {
    const Theme& t = c_.theme();
    const float left = m.box.min.x - page_.labels + 2 * c_.unit, right = m.box.min.x - 7 * c_.unit;
    for (int row = 0; row < m.rows; ++row) {
        if (!names_row(c_, row, line.pitch, gold(m))) continue;
        const float y = m.box.min.y + line.pitch * to_float(row);
        const Box at = c_.place.of({{left, y}, {right, y + line.pitch}});
        const bool chosen = row == gold(m);
        if (!c_.active || !c_.sees(at) || at.width() < ui_.px(24)) continue;
        const FontRole font = larger_where_it_fits(line.pitch, chosen);
        const std::string word = c_.word(m.of_source, row);
        const std::string_view item =
            ui_.items->format("whole/%s/row %s %d", Frame::letter(c_.slot), m.key.c_str(), row);
        const Response r = link_area(ui_, item, at, item_state(chosen), word);
        draw::text_in(ui_, at, word, {font, chosen || r.hovered ? t.text : t.text_muted, draw::Align::right});
        if (r.clicked && m.of_source) c_.state.source_word = row;
        if (r.clicked && !m.of_source) choose_token(c_.frame.state, c_.frame.snapshot, c_.slot, row);
    }
}

void BlockDrawing::draw_matrix(const BlockMatrix& m) const {
    if (m.kind == MatrixKind::pattern)
        draw_pattern(m);
    else
        for (int head = 0; head < m.heads; ++head) draw_part(m, head);
    draw_caption(m);
}

/// Draws one gold row through all matrices of a line that have this word.
void BlockDrawing::draw_gold(const BlockLine& line) const {
    int first = -1, last = -1;
    const auto finish = [&] {
        if (first < 0) return;
        const BlockMatrix &a = page_.matrices[first], &b = page_.matrices[last];
        const float y = a.box.min.y + line.pitch * to_float(gold(a)), out = 4 * c_.unit;
        const Box at = c_.place.of({{a.box.min.x - out, y}, {b.box.max.x + out, y + line.pitch}});
        const float around = at.height() < ui_.px(6) ? ui_.px(2.5f) : 1;  // keeps a low row visible
        draw::rounded_box(ui_, at.inset(0, -around), 0, c_.theme().selection, 4, at.height() < ui_.px(6) ? 1.5f : 2);
        first = -1;
    };
    for (int i = line.first; i < line.end; ++i) {
        if (gold(page_.matrices[i]) < 0) {
            finish();
            continue;
        }
        if (first < 0) first = i;
        last = i;
    }
    finish();
}

void BlockDrawing::draw_line(const BlockLine& line) const {
    bool of_source = false;
    for (int i = line.first; i < line.end; ++i) {
        const BlockMatrix& m = page_.matrices[i];
        if (i == line.first || m.of_source != of_source) draw_words(line, m);
        of_source = m.of_source;
        draw_matrix(m);
    }
    draw_gold(line);
    for (int i = line.first + 1; i < line.end; ++i) {  // over the gold row, which may run through them
        const BlockMatrix& m = page_.matrices[i];
        if (m.kind == MatrixKind::pattern) continue;
        const BlockMatrix& before = page_.matrices[i - 1];
        const float gap = m.box.min.x - before.box.max.x;
        if (gap > 60 * c_.unit) continue;
        const ImVec2 at = c_.place.at(before.box.max.x + gap / 2, m.box.middle_y());
        const float room = gap * c_.place.sx;
        if (m.added)
            draw_plus(ui_, at, std::min(ui_.px(11), room * 0.36f), c_.theme().residual);
        else if (m.kind == MatrixKind::stream || before.kind != MatrixKind::heads)
            draw_arrow(ui_, at, std::min(ui_.px(6), room * 0.25f));
    }
}

void BlockDrawing::draw_card(const BlockCard& card) const {
    const Theme& t = c_.theme();
    const Box box = c_.place.of(card.box);
    if (!c_.sees(box)) return;
    draw::rounded_box(ui_, box, t.card, t.card_border, 10);
    const float u = c_.unit;
    const Box title = c_.place.of(
        {{card.box.min.x + 12 * u, card.box.min.y}, {card.box.max.x - 12 * u, card.box.min.y + page_.title}});
    const FontRole font = c_.font(FontRole::body_bold), below = c_.font(FontRole::small);
    if (c_.room_for(font, page_.title)) {
        const ImU32 ink = card.kind == PartKind::attention ? t.attention_text
                          : card.kind == PartKind::mlp     ? t.mlp_text
                                                           : t.residual_text;
        draw::text_in(ui_, title, card.title, {font, ink});
        const float x = title.min.x + draw::text_size(ui_, card.title, font).x + ui_.px(12);
        draw::text_in(ui_, title.right_of(x), card.below, {below, t.text_muted});
    }
    for (const BlockLine& line : card.lines) draw_line(line);
}

void BlockDrawing::draw() {
    for (const BlockCard& card : page_.cards) draw_card(card);
    draw_block_said(c_, page_.said);
}

}  // namespace

Box head_on_block_page(const Canvas& canvas) {
    const BlockPage page = page_of(canvas);
    const bool cross = canvas.frame.state.cross_attention && !canvas.state.source;
    const std::string wanted = cross ? "cross pattern " : "pattern ";
    for (const BlockMatrix& m : page.matrices)
        if (m.kind == MatrixKind::pattern && m.head == canvas.head() && m.key.starts_with(wanted)) return m.box;
    return middle_of_page(canvas, 0.05f);
}

void enter_from_block_page(const Canvas& canvas, ImVec2 mouse) {
    const ImVec2 at = canvas.place.under(mouse);
    for (const BlockMatrix& m : page_of(canvas).matrices) {
        if (!m.box.contains(at)) continue;
        if (m.kind != MatrixKind::pattern && m.kind != MatrixKind::heads) break;
        const int under = static_cast<int>((at.x - m.box.min.x) / m.box.width() * to_float(m.heads));
        return open_head(canvas, canvas.block(), m.head >= 0 ? m.head : std::clamp(under, 0, m.heads - 1) * m.shared_by,
                         m.key.starts_with("cross "), canvas.state.source);
    }
    open_number(canvas, Box::around(at, 4));
}

void draw_block_page(const Canvas& canvas) { BlockDrawing(canvas).draw(); }

}  // namespace glassformer::app::views::whole_model
