#include <algorithm>
#include <cmath>

#include "app/common/long_sentence.h"
#include "app/common/traced_value.h"
#include "app/language/tr.h"
#include "app/views/difference/pattern_difference.h"

namespace glassformer::app::views::difference {

namespace {

using Place = PatternDifference::Place;

/// "0.83", or "–" if a sentence has no such cell.
std::string_view weight_text(const DifferencePicture& p, int slot, int query, int key) {
    if (query < 0 || key < 0) return "–";
    if (p.hidden_by_quiz(slot, query)) return "?";
    return p.ui().items->format("%.2f", p.weight(slot, query, key));
}

/// Draws a bar from the middle: to the left in blue, or to the right in red.
void signed_bar(const Ui& ui, const Box& box, float value, float range) {
    const float middle = std::round(box.middle_x()), half = box.width() / 2,
                length = std::round(half * std::clamp(value / range, -1.0f, 1.0f));
    const float y = box.middle_y(), thick = ui.px(4);
    draw::rounded_box(ui, box.between_y(y - thick, y + thick), ui.theme->track, 0, 2);
    draw::rounded_box(ui, {{middle + std::min(0.0f, length), y - thick}, {middle + std::max(0.0f, length), y + thick}},
                      ui.theme->signed_colour(value, range), 0, 2);
    draw::vertical_line(ui, middle, y - thick, y + thick, ui.theme->text_faint);
}

float heading(const Ui& ui, const Box& box, std::string_view text) {
    const float line = ui.line(FontRole::small_bold);
    draw::text_in(ui, box.top(line), text, {FontRole::small_bold});
    return box.min.y + line + ui.px(4);
}

/// One line: its words, the weights of A and B, and their difference as a bar and a number.
struct Line {
    std::string_view words, a, b;
    float value;  // NaN: no difference
};

void draw_line(const DifferencePicture& p, const Box& row, const Line& line) {
    const Ui& ui = p.ui();
    const Theme& t = *ui.theme;
    const float number = draw::text_size(ui, "0.00", FontRole::small).x + ui.px(8),
                change = draw::text_size(ui, "−0.00", FontRole::small_bold).x + ui.px(8),
                bar = std::clamp(row.width() * 0.22f, ui.px(40), ui.px(120));
    float x = row.max.x - change;
    if (!std::isnan(line.value)) {
        draw::text_in(ui, row.right_of(x), draw::signed_number(line.value),
                      {FontRole::small_bold, t.text, draw::Align::right});
        signed_bar(ui, row.between_x(x - bar, x), line.value, std::max(p.difference.range(), 1e-6f));
    }
    x -= bar + ui.px(8);
    draw::text_in(ui, row.between_x(x - number, x), line.b, {FontRole::small, t.sense_b_text, draw::Align::right});
    draw::text_in(ui, row.between_x(x - 2 * number, x - number), line.a,
                  {FontRole::small, t.sense_a_text, draw::Align::right});
    draw::text_in(ui, row.left_of(x - 2 * number), line.words, {FontRole::small});
}

void light(const Ui& ui, const Box& row) { draw::rounded_box(ui, row.inset(-ui.px(4), 0), ui.theme->hover, 0, 4); }

/// The row of the chosen words in the difference; −1 if they are not partners.
int chosen_row(const DifferencePicture& p) {
    const auto& rows = p.difference.rows();
    const auto found = std::ranges::find(rows, AlignedWord{p.chosen(0), p.chosen(1)});
    return found == rows.end() ? -1 : static_cast<int>(found - rows.begin());
}

}  // namespace

std::string DifferencePicture::row_word(const AlignedWord& row) const {
    return row.a >= 0 ? frame.word(0, row.a) : frame.word(1, row.b);
}

std::string DifferencePicture::column_word(const AlignedWord& column) const {
    return column.a >= 0 ? key_word(frame, a, column.a) : key_word(frame, b, column.b);
}

void choose_in_both(const Frame& frame, const AlignedWord& word) {
    if (word.a >= 0) frame.state.token[0] = word.a;
    if (word.b >= 0) frame.state.token[1] = word.b;
    if (!word.both()) frame.state.slot = word.a >= 0 ? 0 : 1;
}

void point_at_difference(const DifferencePicture& p, const Place& at, bool clicked) {
    const AlignedWord &row = p.difference.rows()[at.row], &column = p.difference.columns()[at.column];
    const std::string query = p.row_word(row), key = p.column_word(column);
    if (p.hidden_by_quiz(row)) return draw::tooltip(p.ui(), tr(say_it_first));
    if (clicked) choose_in_both(p.frame, row);
    if (!row.both() || !column.both()) {
        const bool in_a = row.b < 0 || column.b < 0, in_b = row.a < 0 || column.a < 0;
        return draw::tooltip(p.ui(),
                             p.ui().items->format("%s → %s\n%s", query.c_str(), key.c_str(),
                                                  in_a && in_b ? tr("One word is only in A, the other only in B.")
                                                  : in_a       ? tr("Not in B: there is nothing to subtract from.")
                                                               : tr("Not in A: there is nothing to subtract.")));
    }
    const double a = p.weight(0, row.a, column.a), b = p.weight(1, row.b, column.b);
    const int slot = p.frame.state.slot;
    const Cell cell = slot == 0 ? p.cell(0, row.a, column.a) : p.cell(1, row.b, column.b);
    const std::string value = draw::signed_number(p.difference.value(at.row, at.column), 4);
    point_at(p.frame, slot, cell, clicked,
             p.ui().items->format("%s → %s  %s\nB %.4f − A %.4f", query.c_str(), key.c_str(), value.c_str(), b, a));
}

float draw_difference_row(const DifferencePicture& p, const Box& box) {
    const Ui& ui = p.ui();
    const std::string a = p.frame.word(0, p.chosen(0)), b = p.frame.word(1, p.chosen(1));
    const std::string_view title =
        a == b ? ui.items->format(tr("What “%s” attends to in A and B"), a.c_str())
               : ui.items->format(tr("What “%s” attends to in A, “%s” in B"), a.c_str(), b.c_str());
    const float top = heading(ui, box, title), height = ui.line(FontRole::small) + ui.px(3);
    const int row = chosen_row(p), count = int_size(p.difference.columns());
    const SeenRows lines = seen_rows(ui, top, height, count);
    for (int i = lines.begin; i < lines.end; ++i) {
        const AlignedWord& key = p.difference.columns()[i];
        const float y = top + height * to_float(i);
        const Box line = box.between_y(y, y + height);
        const bool seen = ImGui::IsRectVisible(line.min, line.max);
        const bool told = key.both() && !p.hidden_by_quiz(0, p.chosen(0)) && !p.hidden_by_quiz(1, p.chosen(1));
        const float value = told ? p.weight(1, p.chosen(1), key.b) - p.weight(0, p.chosen(0), key.a) : NAN;
        const std::string word = p.column_word(key);
        const Response response = click_area(ui, ui.items->format("difference/row %d", i), line,
                                             told ? ItemValue(value) : std::nullopt, word, row >= 0);
        if (!seen) continue;
        if (response.hovered) light(ui, line);
        draw_line(p, line, {word, weight_text(p, 0, p.chosen(0), key.a), weight_text(p, 1, p.chosen(1), key.b), value});
        if (row >= 0 && response.hovered) point_at_difference(p, {row, i}, response.clicked);
    }
    return top + height * to_float(count);
}

float draw_largest_differences(const DifferencePicture& p, const Box& box) {
    const Ui& ui = p.ui();
    const bool any_both = std::ranges::any_of(p.difference.rows(), &AlignedWord::both) &&
                          std::ranges::any_of(p.difference.columns(), &AlignedWord::both);
    const std::string_view title = !p.difference.largest().empty() ? tr("The largest differences")
                                   : any_both                      ? tr("Nothing differs")
                                                                   : tr("The two have no word in common");
    float y = heading(ui, box, title);
    ui.items->add("difference/largest", box.above(y), std::nullopt, title);
    const float height = ui.line(FontRole::small) + ui.px(3);
    const std::vector<Place>& largest = p.difference.largest();
    for (int i = 0; i < int_size(largest); ++i) {
        const Place& at = largest[i];
        if (p.hidden_by_quiz(p.difference.rows()[at.row])) continue;
        const AlignedWord &row = p.difference.rows()[at.row], &column = p.difference.columns()[at.column];
        const Box line = box.between_y(y, y + height);
        const std::string query = p.row_word(row), key = p.column_word(column);
        const std::string_view words = ui.items->format("%s → %s", query.c_str(), key.c_str());
        const float value = p.difference.value(at.row, at.column);
        const Response response = click_area(ui, ui.items->format("difference/largest %d", i), line, value, words);
        if (response.hovered) light(ui, line);
        draw_line(p, line, {words, weight_text(p, 0, row.a, column.a), weight_text(p, 1, row.b, column.b), value});
        if (response.hovered) point_at_difference(p, at, response.clicked);
        y += height;
    }
    return y;
}

}  // namespace glassformer::app::views::difference
