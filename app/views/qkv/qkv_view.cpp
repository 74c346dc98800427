#include <algorithm>
#include <array>
#include <cmath>

#include "app/common/hidden_by_quiz.h"
#include "app/common/linked_cards.h"
#include "app/common/long_sentence.h"
#include "app/common/predict_first.h"
#include "app/common/token_names.h"
#include "app/common/traced_value.h"
#include "app/language/tr.h"
#include "app/ui/scroll_page.h"
#include "app/views/qkv/qkv.h"
#include "app/views/view.h"
#include "core/base/number_text.h"

namespace glassformer::app::views::qkv {

namespace {

constexpr float cell_least = 6, cell_widest = 30, row_least = 13, row_most = 24;  // pixels at 100 %
constexpr float longest_word = 76, word_gap = 6, matrix_gap = 14, row_beside_most = 32, cell_beside_least = 10;

/// The position of one of the three matrices, in pixels from the corner of the page.
struct Place {
    float left = 0, words = 0;  // of the column of words, and its width; 0: the rows are already named on the left
    float right = 0;            // where the next matrix begins
};

/// The sizes that the three matrices share.
struct Layout {
    bool beside = false;          // side by side, if they are too tall for one column
    bool shapes = true;           // the shapes above say how the matrices were made
    ImVec2 pitch;                 // of the cells
    float needed = 0;             // width of words and matrix
    std::array<Place, 3> places;  // of a matrix with its words
};

int widest_matrix(const std::array<QkvMatrix, 3>& matrices) {
    int widest = 1;
    for (const QkvMatrix& m : matrices) widest = std::max(widest, m.width);
    return widest;
}

float heading_height(const Ui& ui) { return ui.line(FontRole::small_bold) + ui.px(5); }
float axis_height(const Ui& ui) { return ui.line(FontRole::small) + ui.px(11); }

/// Puts all three side by side. The words are shown once, before q; those of a source sentence before k and v. Returns
/// false if the cells would be too small; the limit is larger where a user can scroll instead.
bool place_beside(const Frame& frame, const std::array<QkvMatrix, 3>& matrices, float words, float room, float height,
                  Layout& l) {
    const Ui& ui = frame.ui;
    const float gap = ui.px(matrix_gap), edge = ui.px(3);
    float columns = 0, taken = 2 * gap;
    int rows = 1;
    for (std::size_t i = 0; i < 3; ++i) {
        const bool named = i == 0 || matrices[i].of_source;
        l.places[i].words = named ? words : 0;
        taken += l.places[i].words + edge;
        columns += to_float(matrices[i].width);
        rows = std::max(rows, matrices[i].words);
    }
    const float wide = (room - taken) / columns;
    if (wide < std::max(6.0f, ui.scale * (frame.state.presenter ? cell_least : cell_beside_least))) return false;
    l.beside = true;
    const float least = ui.line(FontRole::small), high = height / to_float(rows);
    l.pitch = {std::min(wide, ui.px(cell_widest)), std::floor(std::clamp(high, least, ui.px(row_beside_most)))};
    float x = 0;
    for (std::size_t i = 0; i < 3; ++i) {
        l.places[i].left = x;
        x += l.places[i].words + l.pitch.x * to_float(matrices[i].width) + edge + gap;
        l.places[i].right = x - gap;
    }
    l.needed = x - gap;
    return true;
}

/// One below the other if all rows are visible at once; else side by side, so that k and v are as high up as q.
Layout layout(const Frame& frame, int slot, const std::array<QkvMatrix, 3>& matrices, const Box& box) {
    const Ui& ui = frame.ui;
    const float room = box.width() - 2 * ui.px(12), columns = to_float(widest_matrix(matrices));
    Layout l;
    float words = std::max(widest_word(frame, slot), matrices[1].of_source ? widest_word(frame, slot, true) : 0);
    words = std::ceil(std::min(words, std::min(ui.px(longest_word), room * 0.3f))) + ui.px(word_gap);
    // The height left below the row of shapes and the choice of the page.
    const float left = box.height() - ui.px(84) - 3 * ui.line(FontRole::small),
                around = heading_height(ui) + axis_height(ui);
    const float rows = to_float(std::max(1, matrices[0].words + matrices[1].words + matrices[2].words));
    const float high = (left - 3 * around) / rows;
    if (high < ui.px(row_least) && place_beside(frame, matrices, words, room, left - around, l)) {
        // For an audience, in a low picture the matrices themselves take precedence.
        const float low = ui.line(FontRole::small) * to_float(std::max(matrices[0].words, matrices[1].words));
        l.shapes = !frame.state.presenter || left - around >= low;
        if (!l.shapes) place_beside(frame, matrices, words, room, box.height() - ui.px(34) - around, l);
        return l;
    }
    const float free = (room - words - ui.px(3)) / columns;
    const float wide = std::clamp(free, std::max(6.0f, ui.scale * cell_least), ui.px(cell_widest));
    l.pitch = {wide, std::floor(std::clamp(high, ui.px(row_least), ui.px(row_most)))};
    l.needed = words + wide * columns + ui.px(3);
    l.places.fill({0, words, l.needed});
    return l;
}

/// Draws "q query [9 words × 16]", and the ends of the colour scale.
void heading(const Frame& frame, int slot, const QkvMatrix& m, float range, ImVec2 at, float matrix_right,
             float right) {
    const Ui& ui = frame.ui;
    const Theme& t = *ui.theme;
    const float line = ui.line(FontRole::small_bold);
    const std::string_view title =
        ui.items->format(m.of_source ? tr("%c  [%d source %s × %d]") : "%c  [%d %s × %d]", m.letter, m.words,
                         token_names(frame.model(slot), m.words).c_str(), m.width);
    const bool whole = draw::text_size(ui, title, FontRole::small_bold).x <= right - at.x - ui.px(9);
    const std::string_view written = whole ? title : ui.items->format("%c  [%d × %d]", m.letter, m.words, m.width);
    ui.list()->AddRectFilled({at.x, at.y + ui.px(1)}, {at.x + ui.px(4), at.y + line}, qkv_colour(t, m.letter),
                             ui.px(2));
    const float width =
        draw::text(ui, {at.x + ui.px(9), at.y}, written, {FontRole::small_bold, qkv_text_colour(t, m.letter)});
    const ImVec2 end{at.x + ui.px(9) + width, at.y + line};
    ui.items->add(ui.items->of_card(slot, "%c title", m.letter), {at, end}, std::nullopt, title);
    if (draw::hovered({at, end}))
        draw::tooltip(ui, m.letter == 'q' ? tr("Query\nEach row is what one word is looking for in this head.")
                          : m.letter == 'k'
                              ? tr("Key\nEach row is what one word can be found by.")
                              : tr("Value\nEach row is what one word passes on to the words that attend to it."));
    // The colour legend, if it fits: above the end of a wide matrix, or beyond the end of a narrow one.
    const std::string size = significant(range, 2), low = "−" + size, high = "+" + size;
    const float low_width = draw::text_size(ui, low, FontRole::small).x,
                high_width = draw::text_size(ui, high, FontRole::small).x, ramp = ui.px(44);
    const float legend = low_width + high_width + ramp + ui.px(10), first = end.x + ui.px(10);
    if (right - legend < first) return;
    float x = std::clamp(matrix_right - legend, first, right - legend);
    x += draw::text(ui, {x, at.y}, low, {FontRole::small, t.text_faint}) + ui.px(5);
    const float middle = x + ramp / 2, top = at.y + ui.px(4), foot = at.y + line - ui.px(3);
    const ImU32 negative = t.signed_negative, neutral = t.signed_neutral, positive = t.signed_positive;
    ui.list()->AddRectFilledMultiColor({x, top}, {middle, foot}, negative, neutral, neutral, negative);
    ui.list()->AddRectFilledMultiColor({middle, top}, {x + ramp, foot}, neutral, positive, positive, neutral);
    draw::text(ui, {x + ramp + ui.px(5), at.y}, high, {FontRole::small, t.text_faint});
}

/// Draws the words, which stay visible when the matrix is scrolled to the right.
void words(const Frame& frame, int slot, const QkvMatrix& m, const SignedMap& map, float left, float width) {
    if (width <= 0) return;
    const Ui& ui = frame.ui;
    const Theme& t = *ui.theme;
    const SeenRows seen = seen_rows(ui, map.min.y, map.pitch.y, m.words);
    for (int row = seen.begin; row < seen.end; ++row) {
        const float y = map.min.y + map.pitch.y * to_float(row);
        const Box box{{left, y}, {left + width - ui.px(word_gap), y + map.pitch.y}};
        const bool chosen = !m.of_source && row == frame.state.token[slot];
        const bool strong = chosen || row == map.lit_row;
        const std::string word = m.of_source ? frame.source_word(slot, row) : frame.word(slot, row);
        const std::string_view item = ui.items->of_card(slot, "%c word %d", m.letter, row);
        draw::text_in(
            ui, box, word,
            {strong ? FontRole::small_bold : FontRole::small, strong ? t.text : t.text_muted, draw::Align::right});
        if (m.of_source) {  // a word of the other sentence: it has no query
            ui.items->add(item, box, std::nullopt, word);
            continue;
        }
        const Response r = link_area(ui, item, box, std::nullopt, word);
        if (r.hovered) point_at_word(frame, slot, row);
        if (r.clicked) choose_token(frame.state, frame.snapshot, slot, row);
    }
}

/// Draws the first and the last component below the columns, or the one under the mouse.
void axis(const Frame& frame, const QkvMatrix& m, const SignedMap& map) {
    const Ui& ui = frame.ui;
    const float y = map.max().y + ui.px(2), left = map.min.x, right = map.max().x;
    const draw::TextStyle faint{FontRole::small, ui.theme->text_faint};
    if (map.lit_column >= 0) {
        const float x = left + map.pitch.x * (to_float(map.lit_column) + 0.5f);
        draw::text(ui, {x, y}, ui.items->format("%d", map.lit_column),
                   {FontRole::small_bold, ui.theme->text, draw::Align::centre});
        return;
    }
    const std::string_view last = ui.items->format("%d", m.width - 1);
    const char* meaning = m.letter == 'v' ? tr("feature (d_value)") : tr("feature (d_head)");
    draw::text(ui, {left, y}, "0", faint);
    draw::text(ui, {right, y}, last, {faint.font, faint.colour, draw::Align::right});
    const float beside = draw::text_size(ui, last, faint.font).x + ui.px(8);  // at both ends, as "0" is no wider
    if (draw::text_size(ui, meaning, faint.font).x + 2 * beside < right - left)
        draw::text(ui, {(left + right) / 2, y}, meaning, {faint.font, faint.colour, draw::Align::centre});
}

/// Lights the cell of this matrix that is under the mouse in any view.
void light(const Frame& frame, int slot, const QkvMatrix& m, SignedMap& map) {
    const Cell& at = lit_cell(frame.state, slot);
    const std::int64_t inside = at.offset - m.first;
    if (at.node != m.node || inside < 0 || inside % m.stride >= m.width) return;
    map.lit_row = static_cast<int>(inside / m.stride), map.lit_column = static_cast<int>(inside % m.stride);
}

/// Draws gold frames around the explained number and the chosen word.
void frames(const Frame& frame, int slot, const QkvMatrix& m, const SignedMap& map) {
    const int token = std::clamp(frame.state.token[slot], 0, m.words - 1);
    if (!m.of_source) frame_cells(frame.ui, map, token, 0, 1, m.width);
    if (frame.state.trail.empty() || frame.state.trail.back().slot != slot) return;
    if (waits_for_guess(frame.state, slot)) return;  // the strongest key's word would be a hint
    const Cell& cell = frame.state.trail.back().cell;
    const std::int64_t inside = cell.offset - m.first;
    if (cell.node != m.node || inside < 0 || inside % m.stride >= m.width) return;
    frame_cells(frame.ui, map, static_cast<int>(inside / m.stride), static_cast<int>(inside % m.stride), 1, 1);
}

/// Draws one matrix from `y` down; returns the bottom.
float draw_matrix(const Frame& frame, int slot, const QkvMatrix& m, const Layout& l, const Place& place,
                  const ScrollPage& page, float y) {
    const Ui& ui = frame.ui;
    SignedMap map = m.map(frame.sentence(slot).trace);
    const float names = page.seen_left() + place.left, end = page.inside().min.x + place.right;
    heading(frame, slot, m, map.range, {names, y}, end, l.beside ? end : page.seen_right());
    map.min = {std::floor(page.inside().min.x + place.left + place.words), std::floor(y + heading_height(ui))};
    map.pitch = l.pitch;
    light(frame, slot, m, map);
    // When scrolled to the right, the matrix is clipped where the words end.
    const float left = names + place.words - ui.px(3);
    ImGui::PushClipRect({left, page.inside().min.y}, {page.seen_right() + ui.px(12), map.max().y + ui.px(4)}, true);
    const CellHit hit = signed_map(ui, ui.items->of_card(slot, "%c matrix", m.letter), map);
    if (hit.row >= 0) point_at(frame, slot, m.cell(hit.row, hit.column), hit.clicked);
    frames(frame, slot, m, map);
    ImGui::PopClipRect();
    words(frame, slot, m, map, names, place.words);
    axis(frame, m, map);
    return map.max().y + axis_height(ui);
}

bool has_qkv(const Frame& frame) {
    const int slot = frame.state.card;
    if (frame.trace(slot)) return qkv_matrices(frame, slot).has_value();
    return !frame.model().config.recurrent();
}

constexpr std::array<std::string_view, 5> page_names = {"q, k, v", N_("scores"), N_("heads"), N_("distance"),
                                                        N_("words")};

int& chosen_page(ViewState& state) { return state.own<QkvLook>().page; }

/// Draws the choice of the page; returns the bottom.
float draw_pages(const Frame& frame, int slot, const Box& box) {
    const Ui& ui = frame.ui;
    float widest = 0;
    for (const std::string_view name : page_names)
        widest = std::max(widest, draw::text_size(ui, tr(name), FontRole::small_bold).x);
    const float width = to_float(page_names.size()) * (widest + ui.px(14)) + ui.px(4);
    const ImVec2 end{std::min(box.max.x, box.min.x + width), box.min.y + ui.px(26)};
    segmented(ui, ui.items->of_card(slot, "qkv page"), {box.min, end}, page_names, chosen_page(frame.state));
    return end.y + ui.px(8);
}

/// Draws the vectors of all words, and how they were made.
float draw_vectors(const Frame& frame, int slot, const std::array<QkvMatrix, 3>& matrices, const Layout& l,
                   const ScrollPage& page, float y) {
    if (l.shapes)
        y = draw_qkv_shapes(frame, slot, matrices, {{page.seen_left(), y}, {page.seen_right(), page.inside().max.y}}) +
            frame.ui.px(8);
    float bottom = y;
    for (std::size_t i = 0; i < matrices.size(); ++i) {
        bottom = std::max(bottom, draw_matrix(frame, slot, matrices[i], l, l.places[i], page, y));
        if (!l.beside) y = bottom;
    }
    return bottom;
}

float draw_page(const Frame& frame, int slot, const Box& box) {
    const HeadTrace head(frame, *frame.trace(slot), slot);
    const int page = frame.own<QkvLook>().page;
    if (page == QkvLook::circuits_page) return draw_qkv_circuits(frame, head, box);
    if (page == QkvLook::words_page) return draw_qkv_words(frame, head, box);
    if (row_hidden_by_quiz(frame, slot, {frame.state.layer, frame.state.head}, head.cross) >= 0)
        return draw_hidden_by_quiz(frame, slot, box, frame.ui.items->of_card(slot, "qkv hidden"));
    return page == QkvLook::scores_page ? draw_qkv_scores(frame, head, box) : draw_qkv_distance(frame, head, box);
}

void draw_view(const Frame& frame, const Box& box, int slot) {
    const auto matrices = qkv_matrices(frame, slot);
    if (!matrices) return;
    const bool vectors = frame.own<QkvLook>().page == QkvLook::vectors_page;
    const Layout l = layout(frame, slot, *matrices, box);
    ScrollPage page(frame.ui, slot == 0 ? "##qkv A" : "##qkv B", box, vectors ? l.needed : 0);
    const Box seen{{page.seen_left(), page.inside().min.y}, {page.seen_right(), page.inside().max.y}};
    const float y = draw_pages(frame, slot, seen);
    page.reaches(vectors ? draw_vectors(frame, slot, *matrices, l, page, y) : draw_page(frame, slot, seen.below(y)));
}

}  // namespace

extern constinit const View view{
    .name = "Q K V",
    .meaning =
        N_("The matrices of the chosen head: every word's query, key and value, the scores from Q · Kᵀ to the "
           "weights, what all heads write together, what distance alone explains, and what the head looks for and "
           "hands over as pairs of words."),
    .also =
        "query key value W_Q W_K W_V W_O circuits QK OV copying score eigenvalues bilinear rank "
        "singular values Toeplitz GQA",
    .draw = draw_view,
    .offered = has_qkv,
    .pages = page_names,
    .page = chosen_page,
    .of_head = true,
};

}  // namespace glassformer::app::views::qkv
