#include <algorithm>
#include <cmath>

#include "app/common/heat_map.h"
#include "app/common/long_sentence.h"
#include "app/common/traced_value.h"
#include "app/views/difference/pattern_difference.h"

namespace glassformer::app::views::difference {

namespace {

// Pixels at 100 %.
constexpr float cell_least = 13, cell_readable = 17, cell_most = 64, cell_tiny = 2, longest_word = 72, between = 18;
constexpr int difference_map = 2;             // after A and B
constexpr std::size_t cells_as_items = 4096;  // larger maps are one item

using Place = PatternDifference::Place;

/// One of the three maps: A, B, or the difference over the words of both.
struct Map {
    const DifferencePicture& p;
    int which;

    int rows() const { return which == difference_map ? int_size(p.difference.rows()) : p.side(which).queries; }
    int columns() const { return which == difference_map ? int_size(p.difference.columns()) : p.side(which).keys; }
    std::string row_word(int row) const {
        return which == difference_map ? p.row_word(p.difference.rows()[row]) : p.frame.word(which, row);
    }
    std::string column_word(int column) const {
        return which == difference_map ? p.column_word(p.difference.columns()[column])
                                       : key_word(p.frame, p.side(which), column);
    }
    /// A word that only one sentence has gets that sentence's colour.
    ImU32 colour(const AlignedWord& word, ImU32 otherwise) const {
        if (which != difference_map || word.both()) return otherwise;
        return word.a >= 0 ? p.ui().theme->sense_a_text : p.ui().theme->sense_b_text;
    }
    bool chosen(int row) const {
        if (which != difference_map) return row == p.chosen(which);
        const AlignedWord& word = p.difference.rows()[row];
        return word.a == p.chosen(0) || word.b == p.chosen(1);
    }
    bool hidden_by_quiz(int row) const {
        return which == difference_map ? p.hidden_by_quiz(p.difference.rows()[row]) : p.hidden_by_quiz(which, row);
    }
    /// The widest word of the rows, or of the columns.
    float widest(bool columns) const {
        const auto of = [&](int slot) { return widest_word(p.frame, slot, columns && p.side(slot).cross); };
        return which == difference_map ? std::max(of(0), of(1)) : of(which);
    }
    float row_words() const { return std::min(std::ceil(widest(false)), p.ui().px(longest_word)) + p.ui().px(8); }
    /// How far the turned words extend beyond the right end of the grid; only those near the end can.
    float overhang(const ColumnLabels& labels) const {
        const float longest = labels.reach(p.ui(), labels.max_length);
        const int near = static_cast<int>(longest / labels.pitch) + 1;
        float most = 0;
        for (int i = std::max(0, columns() - near); i < columns(); ++i) {
            const float word = draw::text_size(p.ui(), column_word(i), FontRole::small_bold).x;
            most = std::max(most, labels.reach(p.ui(), word) - (to_float(columns() - i) - 0.5f) * labels.pitch);
        }
        return most;
    }
};

/// The position of a map.
struct MapPlace {
    Map map;
    float words = 0;  // room for the words of its rows; 0 if the previous map shows them
    ImVec2 grid;
};

struct Arrangement {
    std::vector<MapPlace> maps;
    float cell = 0, top = 0, heading = 0;
    ColumnLabels labels;
};

/// Places the maps from left to right with cells of this size; returns the width they take.
float place(Arrangement& at, const DifferencePicture& p, const Box& box) {
    const Ui& ui = p.ui();
    at.labels = {at.cell, ui.px(longest_word)};
    float x = box.min.x;
    at.heading = 0;
    for (const MapPlace& m : at.maps) at.heading = std::max(at.heading, at.labels.height(ui, m.map.widest(true)));
    for (MapPlace& m : at.maps) {
        if (&m != &at.maps.front()) x += ui.px(between);
        m.grid = {std::floor(x + m.words), std::floor(box.min.y + ui.line(FontRole::small) + ui.px(4) + at.heading)};
        x = m.grid.x + at.cell * to_float(m.map.columns()) + std::max(0.0f, m.map.overhang(at.labels));
    }
    return x - box.min.x;
}

Arrangement arrange(const DifferencePicture& p, const Box& box, float height, bool all) {
    const Ui& ui = p.ui();
    Arrangement at;
    for (int which = all ? 0 : difference_map; which <= difference_map; ++which) at.maps.push_back({{p, which}, 0, {}});
    for (MapPlace& m : at.maps)
        if (m.map.which == at.maps.front().map.which || !p.difference.same_words()) m.words = m.map.row_words();
    const float tallest = to_float(at.maps.back().map.rows());
    const float fits = std::floor((height - ui.px(longest_word)) / tallest);
    at.cell = std::clamp(fits, ui.px(cell_readable), ui.px(cell_most));
    const float least = all ? ui.px(cell_least) : cell_tiny;
    while (at.cell > least && place(at, p, box) > box.width()) at.cell = std::max(least, at.cell - 1);
    place(at, p, box);
    return at;
}

void map_words(const Arrangement& at, const MapPlace& m, int lit_row, int lit_column) {
    const Ui& ui = m.map.p.ui();
    const bool legible = at.cell >= ui.line(FontRole::small) * 0.7f;
    const std::vector<AlignedWord>&rows = m.map.p.difference.rows(), &columns = m.map.p.difference.columns();
    const auto aligned = [](const std::vector<AlignedWord>& words, int i) {
        return static_cast<std::size_t>(i) < words.size() ? words[i] : AlignedWord{0, 0};
    };
    for (int row = 0; row < m.map.rows() && m.words > 0; ++row) {
        const float y = m.grid.y + at.cell * to_float(row);
        const bool strong = m.map.chosen(row) || row == lit_row;
        if (!strong && !legible) continue;
        const ImU32 usual = strong ? ui.theme->text : ui.theme->text_muted;
        draw::text_in(ui, {{m.grid.x - m.words, y - ui.px(4)}, {m.grid.x - ui.px(6), y + at.cell + ui.px(4)}},
                      m.map.row_word(row),
                      {strong ? FontRole::small_bold : FontRole::small, m.map.colour(aligned(rows, row), usual),
                       draw::Align::right});
    }
    for (int column = 0; column < m.map.columns(); ++column) {
        const float x = m.grid.x + at.cell * (to_float(column) + 0.5f);
        const bool strong = column == lit_column;
        if (!strong && !legible) continue;
        const ImU32 usual = strong ? ui.theme->text : ui.theme->text_muted;
        at.labels.draw(
            ui, {x, m.grid.y}, m.map.column_word(column),
            {strong ? FontRole::small_bold : FontRole::small, m.map.colour(aligned(columns, column), usual)});
    }
}

/// A cell of a card's pattern as a row and column of the difference; −1 if it has none.
Place in_difference(const DifferencePicture& p, const TracedCell& at) {
    if (at.cell.node < 0 || at.cell.node != p.side(at.slot).node) return {-1, -1};
    const BlockPattern& side = p.side(at.slot);
    const std::int64_t inside = at.cell.offset - side.offset(p.head(at.slot), 0, 0);
    if (inside < 0 || inside >= std::int64_t{side.queries} * side.keys) return {-1, -1};
    const int query = static_cast<int>(inside / side.keys), key = static_cast<int>(inside % side.keys);
    const auto of = at.slot == 0 ? &AlignedWord::a : &AlignedWord::b;
    const auto find = [&](const std::vector<AlignedWord>& words, int index) {
        return static_cast<int>(std::ranges::find(words, index, of) - words.begin());
    };
    return {find(p.difference.rows(), query), find(p.difference.columns(), key)};
}

/// The row or column of one map that corresponds to a row or column of the difference.
int in_map(const Map& map, const std::vector<AlignedWord>& words, int index) {
    if (index < 0 || index >= int_size(words)) return -1;
    if (map.which == difference_map) return index;
    const AlignedWord& word = words[index];
    return map.which == 0 ? word.a : word.b;
}

/// The position of a cell of a card's trace in a map; −1 if it is not there.
Place place_of(const Map& map, const TracedCell& at) {
    if (map.which != difference_map && map.which != at.slot) return {-1, -1};
    const Place place = in_difference(map.p, at);
    return {in_map(map, map.p.difference.rows(), place.row), in_map(map, map.p.difference.columns(), place.column)};
}

/// Frames, in gold, the rows of the chosen words and the cell that is explained or under the mouse.
void golden(const MapPlace& m, const HeatMap& map) {
    const DifferencePicture& p = m.map.p;
    const ViewState& state = p.frame.state;
    for (int row = 0; row < map.rows; ++row)
        if (m.map.chosen(row)) frame_cells(p.ui(), map, row, 0, 1, map.columns, 4);
    const auto about = [&](const TracedCell& cell) {
        const Place at = place_of(m.map, cell);
        if (at.row >= 0 && at.column >= 0) frame_cells(p.ui(), map, at.row, at.column, 1, 1, 4);
    };
    about(state.hovered);
    about(state.linked);
    if (!state.trail.empty() && !is_hidden_by_quiz(p.frame, state.trail.back().slot, state.trail.back().cell))
        about(state.trail.back());
}

HeatMap grid_of(const Arrangement& at, const MapPlace& m) {
    HeatMap map;
    map.rows = m.map.rows(), map.columns = m.map.columns();
    map.min = m.grid, map.pitch = {at.cell, at.cell};
    const Place under = in_difference(m.map.p, m.map.p.frame.state.hovered);
    map.lit_row = in_map(m.map, m.map.p.difference.rows(), under.row);
    map.lit_column = in_map(m.map, m.map.p.difference.columns(), under.column);
    for (int row = 0; row < map.rows; ++row)
        if (m.map.hidden_by_quiz(row)) (map.hidden_row < 0 ? map.hidden_row : map.hidden_row_too) = row;
    return map;
}

/// The scores of the head whose pattern a card shows: masked cells have none.
SliceView scores_of(const DifferencePicture& p, int slot) {
    const Trace& trace = *p.frame.trace(slot);
    std::string name = trace.graph()[p.side(slot).node].name;
    name.replace(name.rfind('.'), std::string::npos, ".hook_attn_scores");
    return trace.part(trace.graph().at(name), {p.head(slot), 1});
}

/// Draws the pattern of one card.
void draw_side(const Arrangement& at, const MapPlace& m) {
    const DifferencePicture& p = m.map.p;
    const Ui& ui = p.ui();
    const int slot = m.map.which;
    const BlockPattern& side = p.side(slot);
    const SliceView scores = scores_of(p, slot);
    HeatMap map = grid_of(at, m);
    map.values = side.head(p.head(slot)), map.scores = scores.values();
    map.key = {p.frame.sentence(slot).trace, side.node, side.offset(p.head(slot), 0, 0)};
    map_words(at, m, map.lit_row, map.lit_column);
    const CellHit hit = heat_map(ui, ui.items->format("difference/%s", Frame::letter(slot)), map);
    golden(m, map);
    if (hit.row < 0) return;
    const auto of = slot == 0 ? &AlignedWord::a : &AlignedWord::b;
    const std::string query = p.frame.word(slot, hit.row), key = key_word(p.frame, side, hit.column);
    if (hit.clicked) choose_in_both(p.frame, *std::ranges::find(p.difference.rows(), hit.row, of));
    point_at(p.frame, slot, p.cell(slot, hit.row, hit.column), hit.clicked,
             ui.items->format("%s: %s → %s  %.4f", Frame::letter(slot), query.c_str(), key.c_str(),
                              p.weight(slot, hit.row, hit.column)));
}

/// Registers the cells as items, unless there are too many.
void add_items(const DifferencePicture& p, const CellGrid& grid) {
    if (p.difference.values().size() > cells_as_items) return;
    for (int row = 0; row < grid.rows; ++row)
        for (int column = 0; column < grid.columns; ++column) {
            const float value = p.difference.value(row, column);
            if (std::isnan(value) || grid.is_hidden(row)) continue;
            p.ui().items->addf(grid.cell(p.ui(), row, column), value, "difference/cell %d %d", row, column);
        }
}

void draw_difference(const Arrangement& at, const MapPlace& m) {
    const DifferencePicture& p = m.map.p;
    const HeatMap map = grid_of(at, m);
    map_words(at, m, map.lit_row, map.lit_column);
    const CellHit hit = draw_cells(p.ui(), "difference/map", map,
                                   {.rows = map.rows,
                                    .columns = map.columns,
                                    .values = p.difference.values(),
                                    .stride = map.columns,
                                    .colours = HeatColours::signed_values,
                                    .range = std::max(p.difference.range(), 1e-6f),
                                    .scores = p.difference.shown(),
                                    .key = {p.frame.state.own<DifferenceState>().of_cards, 0, 0}},
                                   false);
    add_items(p, map);
    golden(m, map);
    if (hit.row >= 0) point_at_difference(p, {hit.row, hit.column}, hit.clicked);
}

void draw_title(const MapPlace& m, float top) {
    const Ui& ui = m.map.p.ui();
    const Theme& t = *ui.theme;
    const bool both = m.map.which == difference_map;
    const ImU32 colour = both ? t.text : m.map.which == 0 ? t.sense_a_text : t.sense_b_text;
    draw::text(ui, {m.grid.x, top}, both ? "B − A" : Frame::letter(m.map.which), {FontRole::small_bold, colour});
}

}  // namespace

float draw_difference_maps(const DifferencePicture& p, const Box& box, float height) {
    Arrangement at = arrange(p, box, height, true);
    const MapPlace& last = at.maps.back();
    if (last.grid.x + at.cell * to_float(last.map.columns()) > box.max.x) at = arrange(p, box, height, false);
    for (const MapPlace& m : at.maps) {
        draw_title(m, box.min.y);
        if (m.map.which == difference_map)
            draw_difference(at, m);
        else
            draw_side(at, m);
    }
    return at.maps.back().grid.y + at.cell * to_float(at.maps.back().map.rows());
}

}  // namespace glassformer::app::views::difference
