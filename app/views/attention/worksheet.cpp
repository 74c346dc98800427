#include <algorithm>
#include <cmath>

#include "app/common/colour_legend.h"
#include "app/common/glossary.h"
#include "app/common/linked_cards.h"
#include "app/common/long_sentence.h"
#include "app/common/predict_first.h"
#include "app/common/traced_value.h"
#include "app/common/what_if_changes.h"
#include "app/language/tr.h"
#include "app/ui/child_window.h"
#include "app/views/attention/attention_parts.h"
#include "core/base/number_text.h"

namespace glassformer::app::views::attention {

namespace {

constexpr float sheet_cell_most = 18;  // width of a number's cell, pixels at 100 %

/// Title of the scores. If they are not divided by anything, the scaled scores are the raw ones under another name.
std::string_view score_title(const Frame& frame, const HeadTrace& head) {
    const std::string divided = hook(frame.state, "attn.hook_attn_scores_scaled");
    const Graph& graph = frame.trace(head.slot)->graph();
    return graph[graph.at(divided)].name == divided ? "q·k/√d" : "q·k";
}

/// Left and right of each column, in screen pixels.
struct Columns {
    float left, word_end;
    float key, key_end;
    float score, score_end;
    float bar, bar_end, weight_end;
    float value, value_end;
};

/// Numbers get the width they need; the two strips and the bar share the rest.
Columns columns(const Frame& frame, const HeadTrace& head, const Box& box) {
    const Ui& ui = frame.ui;
    const float width = box.width(), gap = width < ui.px(360) ? ui.px(7) : ui.px(14);
    const float word = widest_word(frame, head.slot, head.cross);
    const float cells = to_float(head.width(head.k)), value_cells = to_float(head.width(head.v));
    const float words = std::clamp(word, ui.px(40), std::max(ui.px(40), width * 0.2f));
    float largest = 0;
    for (int i = 0; i < head.keys; ++i)
        if (!head.hidden(head.query, i)) largest = std::max(largest, std::abs(head.pair(head.scores, head.query, i)));
    const char* widest = largest < 9.995f ? "+0.00" : largest < 99.995f ? "+00.00" : "+000.00";
    const float score = std::max(draw::text_size(ui, widest, FontRole::small_bold).x,
                                 draw::text_size(ui, score_title(frame, head), FontRole::small_bold).x);
    const float weight = draw::text_size(ui, "0.00", FontRole::small_bold).x;
    const float rest = width - words - score - weight - 4 * gap - ui.px(5);
    const float least_bar = std::clamp(rest * 0.16f, ui.px(16), ui.px(48));
    const float key = std::floor(std::min((rest - least_bar) * 0.56f, cells * ui.px(sheet_cell_most)));
    const float value = std::floor(std::min(rest - least_bar - key, value_cells * ui.px(sheet_cell_most)));
    const float bar = std::min(rest - key - value, ui.px(160));
    Columns c{};
    c.left = box.min.x, c.word_end = c.left + words;
    c.key = std::floor(c.word_end + gap), c.key_end = c.key + key;
    c.score = c.key_end + gap, c.score_end = c.score + score;
    c.bar = std::floor(c.score_end + gap), c.bar_end = c.bar + bar;
    c.weight_end = c.bar_end + ui.px(5) + weight;
    // In a wide card with room for everything, the value is beside its weight: a row is read from left to right.
    c.value_end = std::min(box.max.x, c.weight_end + gap + value), c.value = std::floor(c.value_end - value);
    return c;
}

void small_in(const Ui& ui, float x0, float x1, float y, float height, std::string_view text, ImU32 colour,
              FontRole font = FontRole::small, draw::Align align = draw::Align::left) {
    draw::text_in(ui, {{x0, y}, {x1, y + height}}, text, {font, colour, align});
}

/// Draws a hint only if all of it fits.
void hint(const Ui& ui, float x0, float x1, float y, float height, std::string_view text) {
    if (draw::text_size(ui, text, FontRole::small).x <= x1 - x0)
        small_in(ui, x0, x1, y, height, text, ui.theme->text_muted);
}

struct Strip {
    float x0, x1, y, height;
};

void vector_strip(const Frame& frame, const HeadTrace& head, const HeadTrace::Values& of, int position, const Strip& at,
                  std::string_view label, float faded = 1) {
    const float inset = std::max(frame.ui.px(2), std::round(at.height * 0.18f));
    traced_strip(frame, head.slot, {head.vector_cell(of, position, 0), head.vector(of, position), of.range, faded},
                 label, {{at.x0, at.y + inset}, {at.x1, at.y + at.height - inset}});
}

void term(const Ui& ui, float x0, float x1, float y, float height, std::string_view name) {
    ui.items->add(ui.items->format("term %.*s", int_size(name), name.data()), {{x0, y}, {x1, y + height}});
    term_tip(ui, {{x0, y}, {x1, y + height}}, name);
}

/// Draws the colour scale of the vectors at the right end; returns the right end of the room for the hint.
float query_legend(const Frame& frame, const HeadTrace& head, const Columns& c, float y, float height) {
    const Ui& ui = frame.ui;
    const float left = c.value_end - signed_legend_width(ui);
    if (left < c.score) return c.value_end;
    draw_signed_legend(
        ui, {{left, y}, {c.value_end, y + height}}, ui.items->of_card(head.slot, "signed legend"),
        ui.items->format(tr("Full colour: q ±%s, k ±%s, v ±%s. The smaller its weight, the paler a value."),
                         with_decimals(head.q.range).c_str(), with_decimals(head.k.range).c_str(),
                         with_decimals(head.v.range).c_str()));
    return left - ui.px(8);
}

AttentionTo attention_of(const HeadTrace& head) { return head.cross ? AttentionTo::source : AttentionTo::itself; }

void query_row(const Frame& frame, const HeadTrace& head, const Columns& c, float y, float height) {
    const Ui& ui = frame.ui;
    const std::string word = frame.word(head.slot, head.query);
    small_in(ui, c.left, c.key - ui.px(4), y, height, ui.items->format("q %s", word.c_str()), ui.theme->query_text,
             FontRole::small_bold);
    vector_strip(frame, head, head.q, head.query, {c.key, c.key_end, y, height}, ui.items->of_card(head.slot, "q"));
    const float legend = query_legend(frame, head, c, y, height);
    const std::string_view whole =
        ui.items->format(tr("query: what “%s” is looking for"), head.query_name(frame, head.query).c_str());
    hint(ui, c.score, legend, y, height,
         draw::first_fitting(ui, legend - c.score,
                             {whole, ui.items->format(tr("what “%s” is looking for"), word.c_str())}, FontRole::small));
    term(ui, c.left, c.word_end, y, height, "query");
}

void header_row(const Frame& frame, const HeadTrace& head, const Columns& c, float y, float height) {
    const Ui& ui = frame.ui;
    const Theme& t = *ui.theme;
    const float key_width = draw::text_size(ui, tr("k key"), FontRole::small_bold).x;
    small_in(ui, c.left, c.word_end, y, height, tr("token"), t.text_muted);
    small_in(ui, c.key, c.key_end, y, height, tr("k key"), t.key_text, FontRole::small_bold);
    small_in(ui, c.score - ui.px(4), c.score_end, y, height, score_title(frame, head), t.text, FontRole::small_bold,
             draw::Align::right);
    ui.items->add(ui.items->of_card(head.slot, "score title"), {{c.score, y}, {c.score_end, y + height}}, std::nullopt,
                  score_title(frame, head));
    const std::string_view weights =
        weights_title(frame, head.slot, head.layer, head.head, head.query, attention_of(head));
    small_in(ui, c.bar, c.value - ui.px(4), y, height, weights, t.attention_text, FontRole::small_bold);
    ui.items->add(ui.items->of_card(head.slot, "weights title"), {{c.bar, y}, {c.weight_end, y + height}}, std::nullopt,
                  weights);
    small_in(ui, c.value, c.value_end, y, height, tr("v value"), t.value_text, FontRole::small_bold);
    term(ui, c.key, c.key + key_width, y, height, "key");
    term(ui, c.score, c.score_end, y, height, "score");
    term(ui, c.bar, c.weight_end, y, height, "softmax");
    term(ui, c.value, c.value_end, y, height, "value");
}

void weight_cell(const Frame& frame, const HeadTrace& head, const Columns& c, int key, float y, float height,
                 FontRole font) {
    const Ui& ui = frame.ui;
    const std::string_view label = ui.items->of_card(head.slot, "weight %d", key);
    const Box box{{c.bar - ui.px(3), y + ui.px(1)}, {c.weight_end + ui.px(3), y + height - ui.px(1)}};
    const float weight = head.pair(head.pattern, head.query, key);
    const float inset = std::round(height * 0.26f);
    if (waits_for_guess(frame, head, head.query)) {
        draw::bar(ui, {{c.bar, y + inset}, {c.bar_end, y + height - inset}}, 0, 0, ui.theme->track);
        small_in(ui, c.bar_end, c.weight_end, y, height, "?", ui.theme->text_faint, font, draw::Align::right);
        return guess_area(frame, head, key, label, box);
    }
    draw::bar(ui, {{c.bar, y + inset}, {c.bar_end, y + height - inset}}, weight,
              ui.theme->attention_colour(0.25f + 0.75f * weight), ui.theme->track);
    small_in(ui, c.bar_end, c.weight_end, y, height, ui.items->format("%.2f", weight), 0, font, draw::Align::right);
    traced_value(frame, head.slot, head.pair_cell(head.pattern, head.query, key), label, box);
}

void score_cell(const Frame& frame, const HeadTrace& head, const Columns& c, int key, float y, float height,
                FontRole font) {
    const Ui& ui = frame.ui;
    const double score = head.pair(head.scores, head.query, key);
    const bool hidden = head.hidden(head.query, key);
    const std::string_view label = ui.items->of_card(head.slot, "score %d", key);
    const Box box{{c.score - ui.px(2), y + ui.px(1)}, {c.score_end + ui.px(3), y + height - ui.px(1)}};
    if (waits_for_guess(frame, head, head.query)) return draw_waiting(ui, label, box, draw::Align::right);
    small_in(ui, c.score, c.score_end, y, height, hidden ? "−∞" : draw::signed_number(score),
             hidden ? ui.theme->text_faint : 0, font, draw::Align::right);
    traced_value(frame, head.slot, head.pair_cell(head.scores, head.query, key), label, box);
}

void word_cell(const Frame& frame, const HeadTrace& head, const Columns& c, int key, float y, float height) {
    const Ui& ui = frame.ui;
    const bool chosen = !head.cross && key == head.query;
    const std::string word = head.key_word(frame, key);
    const FontRole font = chosen ? FontRole::small_bold : FontRole::small;
    if (waits_for_guess(frame, head, head.query)) {
        const std::string_view label = ui.items->of_card(head.slot, "word %d", key);
        guess_area(frame, head, key, label, {{c.left - ui.px(3), y}, {c.word_end + ui.px(3), y + height}}, word);
        return small_in(ui, c.left, c.word_end, y, height, word, ui.theme->text, font);
    }
    if (head.cross) {  // a word of the other sentence: it has no query
        ui.items->add(ui.items->of_card(head.slot, "word %d", key), {{c.left, y}, {c.word_end, y + height}},
                      std::nullopt, word);
        return small_in(ui, c.left, c.word_end, y, height, word, ui.theme->text);
    }
    const Response response = link_area(ui, ui.items->of_card(head.slot, "word %d", key),
                                        {{c.left, y}, {c.word_end, y + height}}, std::nullopt, word);
    if (response.hovered) point_at_word(frame, head.slot, key);
    if (response.clicked) choose_token(frame.state, frame.snapshot, head.slot, key);
    small_in(ui, c.left, c.word_end, y, height, word, response.hovered ? ui.theme->attention_text : ui.theme->text,
             font);
}

/// Values are as vivid as their weights are large.
float shine(float weight, float strongest) {
    return strongest > 0 ? 0.1f + 0.9f * std::pow(std::clamp(weight / strongest, 0.0f, 1.0f), 0.7f) : 1.0f;
}

void key_row(const Frame& frame, const HeadTrace& head, const Columns& c, int key, int strongest, float y,
             float height) {
    const Ui& ui = frame.ui;
    const float side = ui.px(6);
    const Box box{{c.left - side, y}, {c.value_end + side, y + height}};
    const bool waits = waits_for_guess(frame, head, head.query), first = key == strongest && !waits;
    if (first || draw::hovered(box))
        draw::rounded_box(ui, box, first ? ui.theme->attention_tint : ui.theme->hover, 0, 4);
    const FontRole font = first ? FontRole::small_bold : FontRole::small;
    const char* letter = Frame::letter(head.slot);
    const float weight = head.pair(head.pattern, head.query, key);
    word_cell(frame, head, c, key, y, height);
    vector_strip(frame, head, head.k, key, {c.key, c.key_end, y, height}, ui.items->format("%s/k %d", letter, key));
    score_cell(frame, head, c, key, y, height, font);
    weight_cell(frame, head, c, key, y, height, font);
    vector_strip(frame, head, head.v, key, {c.value, c.value_end, y, height}, ui.items->format("%s/v %d", letter, key),
                 waits ? 1.0f : shine(weight, head.pair(head.pattern, head.query, strongest)));
}

void z_row(const Frame& frame, const HeadTrace& head, const Columns& c, float y, float height) {
    const Ui& ui = frame.ui;
    const std::string word = frame.word(head.slot, head.query);
    draw::horizontal_line(ui, c.left, c.value_end, y + ui.px(2));
    y += ui.px(4), height -= ui.px(4);
    const float width = draw::text_size(ui, "z = Σ a·v", FontRole::small_bold).x;
    small_in(ui, c.left, c.left + width, y, height, "z = Σ a·v", ui.theme->value_text, FontRole::small_bold);
    const float from = std::max(c.key, c.left + width + ui.px(10));
    const bool off = shows_head_off(frame, head.slot, head.layer, head.head, attention_of(head));
    hint(ui, from, c.value - ui.px(8), y, height,
         off ? std::string_view(tr("this head is off: it writes nothing"))
             : ui.items->format(tr("what “%s” gets from the sentence"), word.c_str()));
    if (off) ui.items->add(ui.items->of_card(head.slot, "head off"), {{from, y}, {c.value, y + height}});
    vector_strip(frame, head, head.z, head.query, {c.value, c.value_end, y, height}, ui.items->of_card(head.slot, "z"));
    term(ui, c.left, c.left + width, y, height, "z");
}

/// Builds only the visible keys. Scrolls to the strongest one when another head or word is chosen; if that must be
/// guessed first, to the chosen word itself.
void draw_scrolled_keys(const Frame& frame, const HeadTrace& head, const Columns& c, const Box& box, float row) {
    ChildWindow window(frame.ui, head.slot == 0 ? "##keys A" : "##keys B", box, ChildWindow::Kind::scrolls);
    const int strongest = head.strongest(head.query);
    const bool waits = waits_for_guess(frame, head, head.query);
    const int shown = waits ? std::min(head.query, head.keys - 1) : strongest;
    const float first = window.start().y, strong = first + row * to_float(shown);
    const int choice = (frame.state.layer * head.heads + head.head) * head.n + head.query;
    keep_in_sight("strongest", 2 * choice + (waits ? 1 : 0), strong, strong + row);
    const SeenRows seen = seen_rows(frame.ui, first, row, head.keys);
    for (int key = seen.begin; key < seen.end; ++key)
        key_row(frame, head, c, key, strongest, first + row * to_float(key), row);
    window.reaches({window.start().x + 1, first + row * to_float(head.keys)});
}

/// For a long sentence: the keys scroll between the query and the result.
void draw_scrolled(const Frame& frame, const HeadTrace& head, const Box& box, float row, const WorksheetSize& size) {
    const Columns c = columns(frame, head, box.left_of(box.max.x - ImGui::GetStyle().ScrollbarSize));
    query_row(frame, head, c, box.min.y, size.query);
    const float header = box.min.y + size.query, top = header + size.header,
                bottom = std::max(top + row, box.max.y - size.z);
    header_row(frame, head, c, header, size.header);
    draw_scrolled_keys(frame, head, c, {{box.min.x - frame.ui.px(6), top}, {box.max.x, bottom}}, row);
    z_row(frame, head, c, bottom, size.z);
}

}  // namespace

WorksheetSize worksheet_size(const Ui& ui, float row) {
    const float line = ui.line(FontRole::small);
    return {std::max(row, line + ui.px(6)), line + ui.px(4), row, std::max(row, line) + ui.px(5)};
}

void draw_worksheet(const Frame& frame, const HeadTrace& head, const Box& box, float row) {
    const WorksheetSize size = worksheet_size(frame.ui, row);
    if (is_long(head.keys)) return draw_scrolled(frame, head, box, row, size);
    const Columns c = columns(frame, head, box);
    const int strongest = head.strongest(head.query);
    float y = box.min.y;
    query_row(frame, head, c, y, size.query);
    y += size.query;
    header_row(frame, head, c, y, size.header);
    y += size.header;
    for (int key = 0; key < head.keys; ++key, y += row) key_row(frame, head, c, key, strongest, y, row);
    z_row(frame, head, c, y, size.z);
}

}  // namespace glassformer::app::views::attention
