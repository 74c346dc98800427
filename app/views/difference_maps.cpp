#include <algorithm>
#include <cmath>

#include "app/views/difference_parts.h"
#include "app/views/heat_map.h"
#include "app/views/traced_value.h"

namespace glassformer::app {

namespace {

// Pixels at 100 %.
constexpr float cell_least = 13, cell_readable = 17, cell_most = 28, cell_tiny = 2, longest_word = 72, between = 18;
constexpr int difference_map = 2;             // after A and B
constexpr std::size_t cells_as_items = 4096;  // of larger maps the whole is one item

using Place = PatternDifference::Place;

/// One of the three maps: A, B, or the difference over the words of both.
struct Map {
    const DifferencePicture& p;
    int which;

    int rows() const {
        return which == difference_map ? static_cast<int>(p.difference.rows().size()) : p.side(which).queries;
    }
    int columns() const {
        return which == difference_map ? static_cast<int>(p.difference.columns().size()) : p.side(which).keys;
    }
    std::string row_word(int row) const {
        return which == difference_map ? p.row_word(p.difference.rows()[static_cast<std::size_t>(row)])
                                       : p.frame.word(which, row);
    }
    std::string column_word(int column) const {
        return which == difference_map ? p.column_word(p.difference.columns()[static_cast<std::size_t>(column)])
                                       : key_word(p.frame, p.side(which), column);
    }
    /// A word that one sentence alone has is said in that sentence's colour.
    ImU32 colour(const AlignedWord& word, ImU32 otherwise) const {
        if (which != difference_map || word.both()) return otherwise;
        return word.a >= 0 ? p.ui().theme->sense_a_text : p.ui().theme->sense_b_text;
    }
    bool chosen(int row) const {
        if (which != difference_map) return row == p.chosen(which);
        const AlignedWord& word = p.difference.rows()[static_cast<std::size_t>(row)];
        return word.a == p.chosen(0) || word.b == p.chosen(1);
    }
    float row_words() const {
        float widest = 0;
        for (int i = 0; i < rows(); ++i)
            widest = std::max(widest, draw::text_size(p.ui(), row_word(i), FontRole::small_bold).x);
        return std::min(std::ceil(widest), p.ui().px(longest_word)) + p.ui().px(8);
    }
    float column_height(const ColumnLabels& labels) const {
        float widest = 0;
        for (int i = 0; i < columns(); ++i)
            widest = std::max(widest, draw::text_size(p.ui(), column_word(i), FontRole::small_bold).x);
        return labels.height(p.ui(), widest);
    }
    /// How far the turned words stick out to the right of the grid.
    float overhang(const ColumnLabels& labels) const {
        float most = 0;
        for (int i = 0; i < columns(); ++i) {
            const float word = draw::text_size(p.ui(), column_word(i), FontRole::small_bold).x;
            most =
                std::max(most, labels.reach(p.ui(), word) - (static_cast<float>(columns() - i) - 0.5f) * labels.pitch);
        }
        return most;
    }
};

/// Where a map stands.
struct MapPlace {
    Map map;
    float words = 0;  // room for its rows' words; 0 where the map before says them
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
    for (const MapPlace& m : at.maps) at.heading = std::max(at.heading, m.map.column_height(at.labels));
    for (MapPlace& m : at.maps) {
        if (&m != &at.maps.front()) x += ui.px(between);
        m.grid = {std::floor(x + m.words), std::floor(box.min.y + ui.line(FontRole::small) + ui.px(4) + at.heading)};
        x = m.grid.x + at.cell * static_cast<float>(m.map.columns()) + std::max(0.0f, m.map.overhang(at.labels));
    }
    return x - box.min.x;
}

Arrangement arrange(const DifferencePicture& p, const Box& box, float height, bool all) {
    const Ui& ui = p.ui();
    Arrangement at;
    for (int which = all ? 0 : difference_map; which <= difference_map; ++which) at.maps.push_back({{p, which}, 0, {}});
    for (MapPlace& m : at.maps)
        if (m.map.which == at.maps.front().map.which || !p.difference.same_words()) m.words = m.map.row_words();
    const float tallest = static_cast<float>(at.maps.back().map.rows());
    const float fits = std::floor((height - ui.px(longest_word)) / tallest);
    at.cell = std::clamp(fits, ui.px(cell_readable), ui.px(cell_most));
    const float least = all ? ui.px(cell_least) : cell_tiny;
    while (at.cell > least && place(at, p, box) > box.width()) at.cell = std::max(least, at.cell - 1);
    place(at, p, box);
    return at;
}

void words_of(const Arrangement& at, const MapPlace& m, int lit_row, int lit_column) {
    const Ui& ui = m.map.p.ui();
    const bool legible = at.cell >= ui.line(FontRole::small) * 0.7f;
    const auto& [rows, columns] =
        std::pair(std::cref(m.map.p.difference.rows()), std::cref(m.map.p.difference.columns()));
    const auto aligned = [](const std::vector<AlignedWord>& words, int i) {
        return static_cast<std::size_t>(i) < words.size() ? words[static_cast<std::size_t>(i)] : AlignedWord{0, 0};
    };
    for (int row = 0; row < m.map.rows() && m.words > 0; ++row) {
        const float y = m.grid.y + at.cell * static_cast<float>(row);
        const bool strong = m.map.chosen(row) || row == lit_row;
        if (!strong && !legible) continue;
        const ImU32 usual = strong ? ui.theme->text : ui.theme->text_muted;
        draw::text_in(ui, {m.grid.x - m.words, y - ui.px(4)}, {m.grid.x - ui.px(6), y + at.cell + ui.px(4)},
                      m.map.row_word(row),
                      {strong ? FontRole::small_bold : FontRole::small, m.map.colour(aligned(rows.get(), row), usual),
                       draw::Align::right});
    }
    for (int column = 0; column < m.map.columns(); ++column) {
        const float x = m.grid.x + at.cell * (static_cast<float>(column) + 0.5f);
        const bool strong = column == lit_column;
        if (!strong && !legible) continue;
        const ImU32 usual = strong ? ui.theme->text : ui.theme->text_muted;
        at.labels.draw(
            ui, {x, m.grid.y}, m.map.column_word(column),
            {strong ? FontRole::small_bold : FontRole::small, m.map.colour(aligned(columns.get(), column), usual)});
    }
}

/// The cell of any map that the mouse is on, as a row and column of the difference; −1 where there is none.
Place lit(const DifferencePicture& p) {
    const TracedCell& at = p.frame.state.hovered;
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

/// The row or column of one map that a row or column of the difference is.
int in_map(const Map& map, const std::vector<AlignedWord>& words, int index) {
    if (index < 0 || index >= static_cast<int>(words.size())) return -1;
    if (map.which == difference_map) return index;
    const AlignedWord& word = words[static_cast<std::size_t>(index)];
    return map.which == 0 ? word.a : word.b;
}

void gold(const Ui& ui, const HeatMap& map, int row, int column, int columns) {
    if (row < 0 || column < 0) return;
    ImVec2 from, to, last, end;
    map.cell(ui, row, column, from, to);
    map.cell(ui, row, column + columns - 1, last, end);
    const float out = ui.px(2);
    draw::selection_frame(ui, {from.x - out, from.y - out}, {end.x + out, end.y + out}, 4);
}

/// The rows of the chosen words, and the cell that is explained or pointed at.
void golden(const MapPlace& m, const HeatMap& map) {
    const DifferencePicture& p = m.map.p;
    for (int row = 0; row < map.rows; ++row)
        if (m.map.chosen(row)) gold(p.ui(), map, row, 0, map.columns);
    for (int slot = 0; slot < 2; ++slot) {
        if (m.map.which != difference_map && m.map.which != slot) continue;
        for (int row = 0; row < map.rows; ++row)
            for (int column = 0; column < map.columns; ++column) {
                const auto place_of = [&](const std::vector<AlignedWord>& words, int i) {
                    if (m.map.which != difference_map) return i;
                    const AlignedWord& word = words[static_cast<std::size_t>(i)];
                    return slot == 0 ? word.a : word.b;
                };
                const int query = place_of(p.difference.rows(), row), key = place_of(p.difference.columns(), column);
                if (query >= 0 && key >= 0 && is_lit(p.frame.state, slot, p.cell(slot, query, key)))
                    gold(p.ui(), map, row, column, 1);
            }
    }
}

void dot(const Ui& ui, ImVec2 from, ImVec2 to) {
    ui.list()->AddRectFilled(from, to, ui.theme->card);
    if (to.x - from.x < ui.px(6)) return;
    ui.list()->AddCircleFilled({(from.x + to.x) / 2, (from.y + to.y) / 2}, ui.px(1), ui.theme->text_faint);
}

/// A pattern of one card.
void draw_side(const Arrangement& at, const MapPlace& m) {
    const DifferencePicture& p = m.map.p;
    const Ui& ui = p.ui();
    const int slot = m.map.which;
    const BlockPattern& side = p.side(slot);
    HeatMap map{side.queries, side.keys, side.head(p.head(slot)), m.grid, {at.cell, at.cell}};
    const Place under = lit(p);
    map.lit_row = in_map(m.map, p.difference.rows(), under.row);
    map.lit_column = in_map(m.map, p.difference.columns(), under.column);
    words_of(at, m, map.lit_row, map.lit_column);
    const HeatMapHit hit = heat_map(ui, ui.items->format("difference/%s", Frame::letter(slot)), map);
    ImVec2 from, to;
    for (int row = 0; row < map.rows; ++row)
        for (int column = row + 1; column < map.columns && side.causal; ++column) {
            map.cell(ui, row, column, from, to);
            dot(ui, from, to);
        }
    golden(m, map);
    if (hit.row < 0) return;
    const auto of = slot == 0 ? &AlignedWord::a : &AlignedWord::b;
    const std::string query = p.frame.word(slot, hit.row), key = key_word(p.frame, side, hit.column);
    if (hit.clicked) choose_in_both(p.frame, *std::ranges::find(p.difference.rows(), hit.row, of));
    point_at(p.frame, slot, p.cell(slot, hit.row, hit.column), hit.clicked,
             ui.items->format("%s: %s → %s  %.4f", Frame::letter(slot), query.c_str(), key.c_str(),
                              static_cast<double>(p.weight(slot, hit.row, hit.column))));
}

void draw_cells(const MapPlace& m, const HeatMap& map) {
    const DifferencePicture& p = m.map.p;
    const Ui& ui = p.ui();
    const float range = std::max(p.difference.range(), 1e-6f), radius = std::min(3 * ui.scale, map.pitch.x * 0.16f);
    const bool items = p.difference.rows().size() * p.difference.columns().size() <= cells_as_items;
    for (int row = 0; row < map.rows; ++row)
        for (int column = 0; column < map.columns; ++column) {
            ImVec2 from, to;
            map.cell(ui, row, column, from, to);
            to = {std::max(to.x, from.x + 1), std::max(to.y, from.y + 1)};
            const float value = p.difference.value(row, column);
            const AlignedWord &query = p.difference.rows()[static_cast<std::size_t>(row)],
                              &key = p.difference.columns()[static_cast<std::size_t>(column)];
            const bool hidden = query.both() && key.both() && p.a.hidden(query.a, key.a) && p.b.hidden(query.b, key.b);
            if (std::isnan(value) || hidden)
                dot(ui, from, to);
            else
                ui.list()->AddRectFilled(from, to, ui.theme->signed_colour(value, range), radius);
            if (items && !std::isnan(value))
                ui.items->addf(from, to, static_cast<double>(value), "difference/cell %d %d", row, column);
        }
}

void draw_difference(const Arrangement& at, const MapPlace& m) {
    const DifferencePicture& p = m.map.p;
    const Place under = lit(p);
    const HeatMap map{m.map.rows(), m.map.columns(), {}, m.grid, {at.cell, at.cell}, under.row, under.column};
    words_of(at, m, under.row, under.column);
    const Response response = click_area(p.ui(), "difference/map", map.min, map.max());
    draw_cells(m, map);
    golden(m, map);
    if (!response.hovered && !response.clicked) return;
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    const int row = static_cast<int>((mouse.y - map.min.y) / at.cell),
              column = static_cast<int>((mouse.x - map.min.x) / at.cell);
    point_at_difference(p, {std::clamp(row, 0, map.rows - 1), std::clamp(column, 0, map.columns - 1)},
                        response.clicked);
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
    if (last.grid.x + at.cell * static_cast<float>(last.map.columns()) > box.max.x) at = arrange(p, box, height, false);
    for (const MapPlace& m : at.maps) {
        draw_title(m, box.min.y);
        if (m.map.which == difference_map)
            draw_difference(at, m);
        else
            draw_side(at, m);
    }
    return at.maps.back().grid.y + at.cell * static_cast<float>(at.maps.back().map.rows());
}

}  // namespace glassformer::app
