#include <algorithm>
#include <cmath>
#include <functional>

#include "app/common/answer_gradient.h"
#include "app/common/predict_first.h"
#include "app/common/stage_motion.h"
#include "app/language/tr.h"
#include "app/panels/explanation/explanation_panel.h"

namespace glassformer::app {

namespace {

constexpr float button_side = 24;

/// Draws the buttons at the right: predict first, all numbers, back and copy. Returns their width.
float draw_buttons(const ExplanationPanel& panel, ImVec2 top_right) {
    const Ui& ui = panel.ui();
    const float height = ui.px(button_side), gap = ui.px(4);
    ButtonStyle copy{.tone = Tone::quiet,
                     .font = FontRole::small,
                     .tooltip = tr("Copy as text\nCopies the formula, its numbers and all terms.")};
    const float copy_width = draw::text_size(ui, tr("Copy"), FontRole::small).x + ui.px(14);
    const float copy_x = top_right.x - copy_width;
    if (button(ui, "explain/copy", {{copy_x, top_right.y}, {top_right.x, top_right.y + height}}, tr("Copy"), copy))
        ImGui::SetClipboardText(plain_text(panel.frame, panel.trace, panel.x).c_str());
    float back_x = copy_x;
    if (panel.frame.state.trail.size() > 1) {  // otherwise the title takes its place
        back_x -= gap + draw::text_size(ui, "‹", FontRole::small).x + ui.px(16);
        const ButtonStyle back{
            .tone = Tone::quiet, .font = FontRole::small, .tooltip = tr("Back to the previous number (Backspace)")};
        if (button(ui, "explain/back", {{back_x, top_right.y}, {copy_x - gap, top_right.y + height}}, "‹", back))
            explain_back(panel.frame.state);
    }
    const float first = back_x - gap - draw_vector_switch(panel, {back_x - gap, top_right.y}, height);
    return top_right.x - first + draw_prediction_switch(panel.frame, {first, top_right.y}, height);
}

void draw_title(const ExplanationPanel& panel, ImVec2 min, float right) {
    const Ui& ui = panel.ui();
    const double value = panel.x.whole.traced;
    const std::string number = shown(panel.trace, panel.x.at.cell),
                      title = filled(tr("Where does {1} come from?"), {number}),
                      brief = filled(tr("Source of {1}"), {number});
    const bool fits = draw::text_size(ui, title, FontRole::title_bold).x <= right - min.x;
    const FontRole font = fits ? FontRole::title_bold : FontRole::body_bold;
    const Box box{min, {right, min.y + ui.px(button_side)}};
    draw::text_in(ui, box, draw::first_fitting(ui, right - min.x, {title, brief, number}, font), {font});
    ui.items->add("explain/value", box, value, title);
    note_place(panel.frame, panel.x.at.slot, panel.x.at.cell, box);
}

/// Returns the index of the first crumb of the tail; 1 if all crumbs fit. Otherwise the first crumb stays, then comes
/// …, then as many of the last ones as fit.
std::size_t first_of_tail(const Ui& ui, const std::vector<float>& widths, float separator, float room) {
    const std::size_t count = widths.size();
    float all = 0;
    for (const float width : widths) all += width + separator;
    if (all <= room) return 1;
    float used = widths[0] + 2 * separator + draw::text_size(ui, "…", FontRole::small).x;
    std::size_t first = count;
    while (first > 1 && used + widths[first - 1] + separator <= room) used += widths[--first] + separator;
    return std::min(first, count - 1);
}

/// Draws the trail from the first number to the one before this, each as a button.
float draw_crumbs(const ExplanationPanel& panel, ImVec2 at, float width) {
    const Ui& ui = panel.ui();
    ViewState& state = panel.frame.state;
    const std::size_t count = state.trail.size() - 1;  // the last is the cell itself, written below
    std::vector<std::string> names;
    std::vector<float> widths;
    for (std::size_t i = 0; i < count; ++i) {
        names.push_back(panel.frame.cell_name(state.trail[i].slot, state.trail[i].cell));
        widths.push_back(draw::text_size(ui, names.back(), FontRole::small).x);
    }
    const float line = ui.line(FontRole::small), separator = draw::text_size(ui, " › ", FontRole::small).x;
    const std::string letter = Frame::letter(panel.x.at.slot);
    const bool first_slot = panel.x.at.slot == 0;
    float x = at.x + draw::text(ui, at, letter,
                                {FontRole::small_bold, first_slot ? ui.theme->sense_a_text : ui.theme->sense_b_text});
    const float room = at.x + width - x - separator;
    const std::size_t tail = first_of_tail(ui, widths, separator, room);
    std::size_t back_to = count;
    for (std::size_t i = 0; i < count; ++i) {
        if (i > 0 && i < tail) {
            if (i == 1) x += draw::text(ui, {x, at.y}, " › …", {FontRole::small, ui.theme->text_faint});
            continue;
        }
        x += draw::text(ui, {x, at.y}, " › ", {FontRole::small, ui.theme->text_faint});
        const float shown_width = std::min(widths[i], at.x + width - x);
        const Response r = link_area(ui, ui.items->format("trail %zu", i),
                                     {{x, at.y - ui.px(1)}, {x + shown_width, at.y + line + ui.px(1)}},
                                     panel.trace.at(state.trail[i].cell), names[i]);
        draw::text_in(ui, {{x, at.y}, {x + shown_width, at.y + line}}, names[i],
                      {FontRole::small, ui.theme->attention_text});
        if (r.hovered) draw::horizontal_line(ui, x, x + shown_width, at.y + line, ui.theme->attention_text);
        if (r.clicked) back_to = i;
        x += shown_width;
    }
    if (back_to < count) state.trail.resize(back_to + 1);
    return line + ui.px(4);
}

/// Draws "pattern[bat → foul]", and where the cell is in the model.
float draw_cell(const ExplanationPanel& panel, ImVec2 at, float width, bool alone) {
    const Ui& ui = panel.ui();
    const Cell& cell = panel.x.at.cell;
    const std::string name = panel.name(cell), where = place(panel.trace, panel.x.whole);
    const float line = ui.line(FontRole::body),
                name_width = std::min(width, draw::text_size(ui, name, FontRole::body_bold).x);
    const Box named = Box::sized(at, name_width, line);
    draw::label(ui, named, name, {FontRole::body_bold, ui.theme->attention_text},
                {"explain/cell", panel.x.whole.traced});
    if (alone) ui.items->add("trail 0", named, panel.x.whole.traced, name);
    if (draw::hovered(named)) {
        panel.light_up(cell);
        draw::tooltip(ui, filled(tr("{1}\nIts full name and index in the trace"), {panel.trace.address(cell)}));
    }
    const float where_width = draw::text_size(ui, where, FontRole::small).x, left = named.max.x + ui.px(12);
    const bool beside = left + where_width <= at.x + width;
    const ImVec2 corner = beside ? ImVec2{at.x + width - where_width, at.y + line - ui.line(FontRole::small) - ui.px(1)}
                                 : ImVec2{at.x, named.max.y + ui.px(2)};
    const float bottom = corner.y + ui.line(FontRole::small);
    draw::label(ui, {corner, {at.x + width, bottom}}, where, {FontRole::small, ui.theme->text_muted},
                {"explain/place"});
    return std::max(bottom, named.max.y) - at.y;
}

/// Returns how many of the paths by which a gradient reached a number have a line; a single path is the gradient
/// itself.
int shown_ways(const AnswerGradient& gradient) {
    constexpr int most = 4;
    return gradient.ways.size() < 2 ? 0 : std::min(most, int_size(gradient.ways));
}

/// Draws these paths: "+0.12 through blocks.0.attn.hook_z".
void draw_gradient_ways(const ExplanationPanel& panel, ImVec2 at, float width, const AnswerGradient& gradient) {
    const Ui& ui = panel.ui();
    std::vector<NodeGradients::Way> ways = gradient.ways;
    std::ranges::stable_sort(ways, std::ranges::greater(), [](const auto& way) { return std::abs(way.part); });
    const Graph& graph = panel.trace.graph();
    float y = at.y;
    for (int i = 0; i < shown_ways(gradient); ++i) {
        const std::string text = filled(tr("{1} through {2}"), {precise(ways[i].part), graph[ways[i].node].name});
        const Box line = Box::sized({at.x + ui.px(10), y}, width - ui.px(10), ui.line(FontRole::small));
        draw::label(ui, line, text, {FontRole::small, ui.theme->text_muted},
                    {ui.items->format("explain/gradient way %d", i), ways[i].part});
        y = line.max.y;
    }
}

}  // namespace

float explanation_gradient_height(const ExplanationPanel& panel) {
    const auto gradient = answer_gradient_ways(panel.frame, panel.x.at.slot, panel.x.at.cell);
    if (!gradient) return 0;
    return panel.ui().px(2) + to_float(1 + shown_ways(*gradient)) * panel.ui().line(FontRole::small);
}

void draw_explanation_gradient(const ExplanationPanel& panel, ImVec2 at, float width) {
    const Ui& ui = panel.ui();
    const auto gradient = answer_gradient_ways(panel.frame, panel.x.at.slot, panel.x.at.cell);
    if (!gradient) return;
    const std::string node = panel.trace.graph()[panel.x.at.cell.node].name + "_grad", value = precise(gradient->value);
    const std::string text = filled(tr("∂f/∂x = {1}  ({2})"), {value, node});
    const Box line = Box::sized({at.x, at.y + ui.px(2)}, width, ui.line(FontRole::small));
    draw::label(ui, line, text, {FontRole::small, ui.theme->text_muted}, {"explain/gradient", gradient->value});
    if (draw::hovered(line))
        draw::tooltip(
            ui, filled(tr("Gradient of the answer\nf is the answer on the page “words” of Logit attribution: {2}. "
                          "If this number grew by a small ε, f would grow by about {1} · ε. "
                          "The gradient is computed backwards: every number computed from this one passes back its "
                          "own gradient times its derivative with respect to this one. The lines below are these "
                          "parts; they add up to the gradient, unless f is read from this very number."),
                       {value, gradient->answer}));
    draw_gradient_ways(panel, {at.x, line.max.y}, width, *gradient);
}

float draw_explanation_header(const ExplanationPanel& panel, const Box& box) {
    const Ui& ui = panel.ui();
    const std::size_t depth = panel.frame.state.trail.size();
    float y = box.min.y;
    const float buttons = draw_buttons(panel, {box.max.x, y});
    draw_title(panel, {box.min.x, y}, box.max.x - buttons - ui.px(8));
    y += ui.px(button_side) + ui.px(6);
    y += draw_verdict(panel.frame, panel.x.at.slot, {box.min.x, y}, box.width());
    if (depth > 1 && panel.frame.state.trail.size() == depth) y += draw_crumbs(panel, {box.min.x, y}, box.width());
    y += draw_cell(panel, {box.min.x, y}, box.width(), depth == 1);
    return y - box.min.y;
}

float explanation_footer_height(const Ui& ui) { return std::max(ui.px(button_side), ui.line(FontRole::small)); }

void draw_explanation_footer(const ExplanationPanel& panel, const Box& box) {
    const Ui& ui = panel.ui();
    const Explanation& e = panel.x.whole;
    float right = box.max.x;
    Cell deeper;
    const bool can = deepest_operand(panel.trace, panel.x.charted(), deeper);
    if (can) {
        const std::string tip =
            filled(tr("Open {1}\nThe operand that contributes most to this number"), {panel.name(deeper)});
        const ButtonStyle style{.tone = Tone::attention, .font = FontRole::small_bold, .tooltip = tip};
        const float width = draw::text_size(ui, tr("Deeper ›"), FontRole::small_bold).x + ui.px(16);
        right -= width + ui.px(8);
        const Response r = button(ui, "explain/deeper", box.right(width), tr("Deeper ›"), style);
        if (r.hovered) panel.light_up(deeper);
        if (r.clicked) panel.open(deeper);
    }
    const bool same = agrees(e);
    const std::string mark = same ? " ✓ " : " ≠ ", traced = precise(e.traced), again = precise(e.recomputed);
    const std::string whole = filled(tr("recomputed in double precision: {1}{2}(traced {3})"), {again, mark, traced});
    const std::string brief = filled(tr("recomputed {1}{2}traced {3}"), {again, mark, traced});
    const Box at = box.left_of(right);
    draw::text_in(ui, at, draw::first_fitting(ui, at.width(), {whole, brief}, FontRole::small),
                  {FontRole::small, same ? ui.theme->text_muted : ui.theme->danger_text});
    ui.items->add("explain/recomputed", at, e.recomputed, whole);
    if (draw::hovered(at))
        draw::tooltip(ui, filled(tr("{1}\nThe model computes in 32 bits. Here the result is recomputed independently "
                                    "from the operands shown, in 64 bits."),
                                 {whole}));
}

}  // namespace glassformer::app
