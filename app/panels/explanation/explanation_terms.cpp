#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "app/common/model_colours.h"
#include "app/common/stage_motion.h"
#include "app/language/tr.h"
#include "app/panels/explanation/explanation_panel.h"

namespace glassformer::app {

namespace {

constexpr float operand_pad = 4, operand_gap = 4;  // pixels at 100 %

/// Returns the sign between two operands of a term.
std::string_view joint(const Explanation& e, const Explanation::Term& term) {
    if (multiplies(e, term)) return " · ";
    return e.reading.join == TermJoin::difference ? " − " : ", ";
}

/// Returns the result of a term: "= −0.11" for a product, "→ 8.34" for another function; empty if it is the operand
/// itself.
std::string result_text(const Explanation& e, const Explanation::Term& term) {
    if (term.operands.size() == 1 && term.operands[0].value == term.contribution) return "";
    if (!e.reading.symbol.empty()) return std::string(e.reading.symbol) + " " + brief(term.contribution);
    return (multiplies(e, term) ? "= " : "→ ") + brief(term.contribution);
}

struct Place : Box {
    int term = 0, operand = 0;
};

/// Draws "q[bat, 6] 1.20": the name shrinks if necessary, the number does not.
void draw_operand(const ExplanationPanel& panel, const Explanation::Operand& operand, const Place& p) {
    const Ui& ui = panel.ui();
    const std::string name = panel.name(operand.cell), value = brief(operand.value);
    const std::string_view label = ui.items->format("explain/operand %d %d", p.term, p.operand);
    const Response r = link_area(ui, label, p, operand.value, name);
    note_place(panel.frame, panel.x.at.slot, known_as(panel.trace, operand.cell), p);
    draw::rounded_box(ui, p.inset(0, ui.px(1)), r.hovered ? ui.theme->hover : 0, 0, 4);
    const float pad = ui.px(operand_pad), value_width = draw::text_size(ui, value, FontRole::small).x;
    const ImU32 colour = node_text_colour(*ui.theme, panel.trace.graph()[operand.cell.node].name);
    draw::text_in(ui, p.between_x(p.min.x + pad, p.max.x - pad - value_width - ui.px(operand_gap)), name,
                  {FontRole::small, colour});
    draw::text_in(ui, p.right_of(p.max.x - pad - value_width), value, {FontRole::small});
    if (ui.focus->offer(label)) draw::rounded_box(ui, p, 0, ui.theme->focus, 4, 2);
    if (r.hovered) {
        panel.light_up(operand.cell);
        draw::tooltip(ui, filled(tr("{1} = {2}\nClick to see where it comes from"), {name, precise(operand.value)}));
    }
    if (r.clicked) panel.open(operand.cell);
}

float operand_width(const ExplanationPanel& panel, const Explanation::Operand& operand) {
    const Ui& ui = panel.ui();
    return std::ceil(draw::text_size(ui, panel.name(operand.cell), FontRole::small).x +
                     draw::text_size(ui, brief(operand.value), FontRole::small).x) +
           2 * ui.px(operand_pad) + ui.px(operand_gap) + 1;  // at any text size: one pixel for rounding
}

/// Returns the widths of a term's operands: natural if they fit, otherwise the longest names are shortened first.
std::vector<float> fitted_widths(const ExplanationPanel& panel, const Explanation::Term& term, float room) {
    std::vector<float> widths;
    for (const Explanation::Operand& operand : term.operands) widths.push_back(operand_width(panel, operand));
    std::vector<float> sorted = widths;
    std::ranges::sort(sorted);
    // Operands narrower than an even share keep their width; the others divide the rest.
    float rest = std::max(room, 0.0f), most = rest;
    for (std::size_t i = 0; i < sorted.size(); ++i) {
        most = rest / to_float(sorted.size() - i);
        if (sorted[i] > most) break;
        rest -= sorted[i];
        most = sorted[i];
    }
    for (float& width : widths) width = std::min(width, most);
    return widths;
}

/// Draws a term that comes from the op itself: a position or a distance.
void draw_own_number(const ExplanationPanel& panel, const Explanation::Term& term, const Box& box) {
    const Ui& ui = panel.ui();
    draw::text_in(ui, box, term.contribution < 0 ? tr("the distance itself") : tr("the position itself"),
                  {FontRole::small, ui.theme->text_muted});
}

/// Draws one term: its operands, then their result.
void draw_row(const ExplanationPanel& panel, const Explanation& e, int index, const Box& box) {
    const Ui& ui = panel.ui();
    const Explanation::Term& term = e.terms[index];
    const std::string result = result_text(e, term);
    const float result_width = result.empty() ? 0 : draw::text_size(ui, result, FontRole::small_bold).x + ui.px(8);
    const std::string_view between = joint(e, term);
    const float joint_width = draw::text_size(ui, between, FontRole::small).x;
    const auto count = to_float(term.operands.size());
    const float room = box.width() - result_width - joint_width * std::max(0.0f, count - 1);
    const std::vector<float> widths = fitted_widths(panel, term, room);
    if (term.operands.empty()) draw_own_number(panel, term, box.left_of(box.max.x - result_width));
    float x = box.min.x - ui.px(operand_pad);  // aligns the text, not its frame, with the left edge
    for (std::size_t i = 0; i < widths.size(); ++i) {
        if (i > 0)
            x += draw::text(ui, {x, box.min.y + (box.height() - ui.line(FontRole::small)) / 2}, between,
                            {FontRole::small, ui.theme->text_muted});
        const float width = std::floor(widths[i]);
        draw_operand(panel, term.operands[i], {box.between_x(x, x + width), index, static_cast<int>(i)});
        x += width;
    }
    const ImU32 colour = term.contribution < 0 ? ui.theme->danger_text : ui.theme->good_text;
    draw::text_in(ui, box.right(result_width), result,
                  {FontRole::small_bold, multiplies(e, term) ? colour : ui.theme->text, draw::Align::right});
}

/// A row scrolled out of sight is still an item, so that scripts can read it.
void register_row(const ExplanationPanel& panel, const Explanation& e, int index, const Box& box) {
    const auto& operands = e.terms[index].operands;
    for (std::size_t i = 0; i < operands.size(); ++i)
        panel.ui().items->addf(box, operands[i].value, "explain/operand %d %zu", index, i);
}

struct Range {
    double low = 0, high = 0;
    double span() const { return std::max(high - low, 1e-12); }
};

Range range_of(const Explanation& e) {
    Range range;
    for (const auto& term : e.terms) {
        range.low = std::min(range.low, term.contribution);
        range.high = std::max(range.high, term.contribution);
    }
    return range;
}

void draw_bar(const Ui& ui, float x0, float x1, float zero, float end, bool negative, bool lit) {
    const float gap = x1 - x0 >= 5 * ui.scale ? ui.px(2) : x1 - x0 >= 3 ? 1.0f : 0.0f;
    ImU32 colour = negative ? ui.theme->danger : ui.theme->good;
    if (lit) colour = mix(colour, ui.theme->text, 0.35f);
    const float top = std::min(zero, end), bottom = std::max({zero, end, top + 1});
    ui.list()->AddRectFilled({x0, top}, {std::max(x0 + 1, x1 - gap), bottom}, colour,
                             std::min(2 * ui.scale, (x1 - x0) / 4));
}

/// Only the tallest bar is labelled with its value; the others show theirs on hover.
void label_tallest(const Ui& ui, const Explanation& e, const Box& box, float zero, float step, double scale) {
    const auto found =
        std::ranges::max_element(e.terms, {}, [](const Explanation::Term& t) { return std::abs(t.contribution); });
    const float middle = box.min.x + step * (to_float(found - e.terms.begin()) + 0.5f);
    const std::string text = shown(found->contribution);
    const float half = draw::text_size(ui, text, FontRole::small_bold).x / 2;
    const float end = zero - to_float(found->contribution * scale);
    const float y = found->contribution >= 0 ? end - ui.line(FontRole::small) - ui.px(1) : end + ui.px(1);
    draw::text(ui, {std::clamp(middle, box.min.x + half, box.max.x - half), y}, text,
               {FontRole::small_bold, 0, draw::Align::centre});
}

}  // namespace

void draw_term_chart(const ExplanationPanel& panel, const Explanation& e, const Box& box) {
    const Ui& ui = panel.ui();
    const Range range = range_of(e);
    const float label = ui.line(FontRole::small) + ui.px(2);
    const bool up = range.high >= -range.low;
    const float top = box.min.y + (up ? label : 0), bottom = box.max.y - (up ? 0 : label);
    const double scale = static_cast<double>(bottom - top) / range.span();
    const float zero = std::round(top + to_float(range.high * scale));
    const float step = box.width() / to_float(e.terms.size());
    const Response r = click_area(ui, "explain/chart", box, std::nullopt, e.terms_title);
    const float mouse = ImGui::GetIO().MousePos.x;
    const int under = r.hovered || r.clicked
                          ? std::clamp(static_cast<int>((mouse - box.min.x) / step), 0, int_size(e.terms) - 1)
                          : -1;
    for (int i = 0; i < int_size(e.terms); ++i) {
        const Explanation::Term& term = e.terms[i];
        const float x0 = box.min.x + step * to_float(i), x1 = x0 + step;
        draw_bar(ui, x0, x1, zero, zero - to_float(term.contribution * scale), term.contribution < 0, i == under);
        ui.items->addf(box.between_x(x0, x1), term.contribution, "explain/term %d", i);
    }
    draw::horizontal_line(ui, box.min.x, box.max.x, zero, ui.theme->control_border);
    label_tallest(ui, e, box, zero, step, scale);
    if (under < 0) return;
    const int operand = larger_operand(panel.trace, e, under);
    if (operand < 0) return draw::tooltip(ui, term_text(panel.frame, panel.x.at.slot, e, under));
    const Cell cell = e.terms[under].operands[operand].cell;
    panel.light_up(cell);
    ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    draw::tooltip(ui, filled(tr("{1}\nClick to open {2}"),
                             {term_text(panel.frame, panel.x.at.slot, e, under), panel.name(cell)}));
    if (r.clicked) panel.open(cell);
}

float draw_term_rows(const ExplanationPanel& panel, const Explanation& e, ImVec2 at, float width, bool sorted) {
    const Ui& ui = panel.ui();
    std::vector<int> order(e.terms.size());
    std::iota(order.begin(), order.end(), 0);
    const auto size = [&](int i) { return std::abs(e.terms[i].contribution); };
    if (sorted) std::ranges::stable_sort(order, std::greater<>(), size);
    const float clip_top = ImGui::GetWindowPos().y, clip_bottom = clip_top + ImGui::GetWindowHeight(),
                height = ui.line(FontRole::small) + ui.px(8);
    width = std::min(width, ui.px(430));  // keeps the two sides of a sum together in a wide box
    float y = at.y;
    for (const int i : order) {
        const Box box{{at.x, y}, {at.x + width, y + height}};
        const bool seen = box.max.y > clip_top && box.min.y < clip_bottom;
        if (!sorted) ui.items->addf(box, e.terms[i].contribution, "explain/term %d", i);
        if (seen)
            draw_row(panel, e, i, box);
        else
            register_row(panel, e, i, box);
        y += height;
    }
    return y - at.y;
}

}  // namespace glassformer::app
