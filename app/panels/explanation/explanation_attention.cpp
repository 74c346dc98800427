#include <algorithm>
#include <array>
#include <cmath>

#include "app/common/long_sentence.h"
#include "app/common/model_colours.h"
#include "app/language/tr.h"
#include "app/panels/explanation/explanation_panel.h"
#include "app/ui/math_text.h"

namespace glassformer::app {

namespace {

constexpr float words_strip = 22;  // pixels at 100 %

/// Returns the label of an attention step: "softmax:".
std::string step_title(const Explanation& of) {
    return filled(tr("{1}:"), {tr(of.traits.step.empty() ? of.title : std::string(of.traits.step))});
}

/// Returns true if a step gets a line. A mask that changed nothing gets none.
bool has_line(const ExplanationPanel& panel, const Explanation& e) {
    if (e.traits.is_mask) return e.traced != e.terms[0].operands[0].value || &e == &panel.x.chain.front();
    return e.traits.role == OpRole::attention_step || e.traits.role == OpRole::attention_weights;
}

/// Returns the width of the longest step title.
float title_width(const ExplanationPanel& panel) {
    float width = 0;
    for (const Explanation& step : panel.x.chain)
        if (has_line(panel, step))
            width = std::max(width, draw::text_size(panel.ui(), step_title(step), FontRole::small).x);
    return width + panel.ui().px(10);
}

/// Draws a step's equation; a click on it opens its cell.
float draw_line(const ExplanationPanel& panel, ImVec2 at, float width, const Explanation& of,
                std::span<const math::Piece> pieces, bool stacked) {
    const Ui& ui = panel.ui();
    const std::string_view label = ui.items->format("explain/%s", of.op.c_str());
    const std::string title = step_title(of);
    const float label_width = title_width(panel);
    const ImVec2 start{at.x + label_width, at.y};
    const float height = math::equation(ui, start, width - label_width, pieces, {FontRole::body, 0, stacked});
    const float line = height - ui.px(4);
    const Box row = Box::sized(at, width, line);
    draw::text_in(ui, row.left_of(start.x), title, {FontRole::small, ui.theme->text_muted});
    if (of.cell == panel.x.at.cell) return ui.items->add(label, row, of.traced), height;
    const Response r = link_area(ui, label, row, of.traced, panel.name(of.cell));
    if (r.hovered) {
        panel.light_up(of.cell);
        draw::horizontal_line(ui, start.x, at.x + width, at.y + line + ui.px(1), ui.theme->attention_text);
        draw::tooltip(ui, filled(tr("{1} = {2}\nClick to open it"), {panel.name(of.cell), shown(of.traced)}));
    }
    if (r.clicked) panel.open(of.cell);
    return height;
}

/// Draws q·k / √16 = 8.48 / 4 = 2.12; with the factor itself if that is not 1/√width.
float draw_score_line(const ExplanationPanel& panel, const Explanation& scaled, const Explanation& raw, ImVec2 at,
                      float width, bool stacked) {
    const double root = std::sqrt(static_cast<double>(raw.terms.size()));
    const bool by_root = std::abs(raw.traced / root - scaled.traced) <= 1e-5 * std::max(1.0, std::abs(scaled.traced));
    const std::string whole_root =
        std::abs(root - std::round(root)) < 1e-9 ? std::to_string(static_cast<int>(std::round(root))) : shown(root);
    const std::string formula = by_root ? "q·k / √" + std::to_string(raw.terms.size()) : scaled.formula;
    const std::string numbers =
                          by_root ? shown(raw.traced) + " / " + whole_root : typographic(tr_sentence(scaled.numbers)),
                      value = shown(scaled.traced);
    const std::array<math::Piece, 3> pieces{{{formula}, {numbers}, {value, true}}};
    return draw_line(panel, at, width, scaled, pieces, stacked);
}

float draw_mask_line(const ExplanationPanel& panel, const Explanation& e, ImVec2 at, float width) {
    const std::string text = e.numbers.empty() ? shown(e.traced) : tr_sentence(e.numbers) + ": " + shown(e.traced);
    const std::array<math::Piece, 1> pieces{{{text}}};
    return draw_line(panel, at, width, e, pieces, false);
}

/// Draws a step without its own picture: the numbers of its formula and their result. The numbers of a softmax form an
/// equation, e^(2.12 − 2.12) / Σ = 1.00 / 1.83 = 0.55. The summands of Σ follow word by word below it, so one line is
/// enough and leaves room for the chart.
float draw_plain_line(const ExplanationPanel& panel, const Explanation& e, ImVec2 at, float width, bool stacked) {
    const std::string numbers = typographic(tr_sentence(e.numbers)), value = shown(e.traced);
    if (numbers.empty()) return 0;  // a fully masked row
    const std::string_view all = numbers;
    const std::size_t equals = all.find(" = ");
    if (equals == std::string_view::npos) {
        const std::array<math::Piece, 2> pieces{{{all}, {value, true}}};
        return draw_line(panel, at, width, e, pieces, false);
    }
    constexpr std::string_view over_sum = " / Σ";
    const std::size_t sum = all.find(over_sum);
    const std::string_view fraction = all.substr(0, sum < equals ? sum + over_sum.size() : equals);
    const std::array<math::Piece, 3> pieces{{{fraction}, {all.substr(equals + 3)}, {value, true}}};
    return draw_line(panel, at, width, e, pieces, stacked);
}

/// Returns true if the step depends only on the score before it.
bool is_of_one_score(const Explanation& e) {
    return e.traits.role == OpRole::attention_step && e.terms.size() == 1 && e.terms[0].operands.size() == 1;
}

}  // namespace

float draw_attention_equations(const ExplanationPanel& panel, ImVec2 at, float width, bool stacked) {
    float y = at.y;
    for (const Explanation& e : panel.x.chain) {
        if (!has_line(panel, e)) continue;
        if (e.traits.is_mask)
            y += draw_mask_line(panel, e, {at.x, y}, width);
        else if (is_of_one_score(e))
            y += draw_score_line(panel, e, panel.x.charted(), {at.x, y}, width, stacked);
        else
            y += draw_plain_line(panel, e, {at.x, y}, width, stacked);
    }
    return y - at.y;
}

float softmax_words_height(const Ui& ui) { return ui.line(FontRole::small) + ui.px(4 + words_strip); }

float draw_softmax_words(const ExplanationPanel& panel, ImVec2 at, float width) {
    const Ui& ui = panel.ui();
    const Explanation* e = panel.x.share();
    if (!e) return 0;
    draw::text_in(ui, {at, {at.x + width, at.y + ui.line(FontRole::small)}},
                  ui.items->format(tr("the %zu terms of the sum Σ"), e->terms.size()),
                  {FontRole::small, ui.theme->text_muted});
    const float top = at.y + ui.line(FontRole::small) + ui.px(4), bottom = top + ui.px(words_strip);
    double sum = 0;
    for (const auto& term : e->terms) sum += term.contribution;
    float x = at.x;
    const std::int64_t row = e->cell.offset - e->reading.main_term;
    const std::string& node = panel.trace.graph()[e->cell.node].name;
    const bool many = is_long(int_size(e->terms));  // naming a cell means looking at every word
    for (std::size_t i = 0; i < e->terms.size(); ++i) {
        const Explanation::Term& term = e->terms[i];
        const float share = to_float(term.contribution / sum), next = x + share * width;
        const Box box{{x, top}, {std::max(x + 1, next - ui.px(1)), bottom}};
        const Cell weight{e->cell.node, row + static_cast<std::int64_t>(i)};
        const std::string word = panel.frame.key_word_of(panel.x.at.slot, node, static_cast<int>(i));
        const Response r =
            click_area(ui, ui.items->format("explain/word %zu", i), {box.min, {std::max(x + 1, next), bottom}},
                       term.contribution, many ? word : panel.name(weight));
        const ImU32 fill = ui.theme->attention_colour(share);
        draw::rounded_box(ui, box, r.hovered ? mix(fill, ui.theme->text, 0.12f) : fill, 0, 3);
        const FontRole font = weight == e->cell ? FontRole::small_bold : FontRole::small;
        if (draw::text_size(ui, word, font).x + ui.px(4) <= box.width())
            draw::text_in(ui, box, word, {font, Theme::text_on(fill), draw::Align::centre});
        if (r.hovered) {
            panel.light_up(weight);
            draw::tooltip(
                ui, filled(tr("{1}\n{2}\nClick to open its score"),
                           {panel.name(weight), term_text(panel.frame, panel.x.at.slot, *e, static_cast<int>(i))}));
        }
        if (r.clicked) panel.open(term.operands[0].cell);
        x = next;
    }
    return bottom - at.y;
}

float draw_factor_strips(const ExplanationPanel& panel, const Explanation& e, ImVec2 at, float width) {
    const Ui& ui = panel.ui();
    float y = at.y;
    std::vector<float> values(e.terms.size());
    for (std::size_t factor = 0; factor < 2; ++factor) {
        for (std::size_t i = 0; i < values.size(); ++i) values[i] = to_float(e.terms[i].operands[factor].value);
        const std::string& node = panel.trace.graph()[e.terms[0].operands[factor].cell.node].name;
        const Box box{{at.x, y}, {at.x + width, y + ui.px(14)}};
        const int under = draw::signed_strip(ui, box, values, largest_size(values));
        draw::text_in(ui, {{box.max.x + ui.px(6), y - ui.px(4)}, {box.max.x + ui.px(40), box.max.y + ui.px(4)}},
                      factor == 0 ? "q" : "k", {FontRole::small_bold, node_text_colour(*ui.theme, node)});
        if (under >= 0) {
            const Explanation::Operand& operand = e.terms[under].operands[factor];
            panel.light_up(operand.cell);
            draw::tooltip(ui, panel.name(operand.cell) + " = " + shown(operand.value));
        }
        y = box.max.y + ui.px(3);
    }
    return y - at.y + ui.px(3);
}

}  // namespace glassformer::app
