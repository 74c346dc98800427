#include <algorithm>
#include <cmath>
#include <numeric>

#include "app/common/explanation.h"
#include "app/common/hidden_by_quiz.h"
#include "app/common/model_colours.h"
#include "app/language/tr.h"
#include "app/ui/math_text.h"
#include "app/views/whole_model/canvas.h"

namespace glassformer::app::views::whole_model {

namespace {

constexpr float number_edge = 28, term_row = 27, bar_width = 150, two_columns = 860,
                bar_share = 0.28f;  // pixels at 100 %

/// Draws the page of level "number" once: one explanation, the same as in the inspector.
class NumberDrawing {
public:
    NumberDrawing(const Canvas& canvas, const Cell& cell)
        : c_(canvas), ui_(canvas.ui()), x_(explained(canvas.trace, {canvas.slot, cell})) {}
    void draw();

private:
    float px(float at_100_percent) const { return std::round(at_100_percent * c_.unit); }
    const Explanation& e() const { return x_.charted(); }
    void line(std::string_view words, FontRole font, ImU32 ink, float gap);
    void draw_step(const Explanation& step);
    void formula(std::string_view words, FontRole font, ImU32 ink);
    void draw_terms(float bottom);
    void draw_term(int term, const Box& row, float most);

    const Canvas& c_;
    const Ui& ui_;
    Explained x_;
    float left_ = 0, right_ = 0, y_ = 0;
};

void NumberDrawing::line(std::string_view words, FontRole font, ImU32 ink, float gap) {
    if (words.empty()) return;
    const float height = ui_.line(font);
    draw::text_told(ui_, {{left_, y_}, {right_, y_ + height}}, words, {font, ink});
    y_ += height + gap;
}

void NumberDrawing::formula(std::string_view words, FontRole font, ImU32 ink) {
    if (words.empty()) return;
    const std::string text = typographic(std::string(words));
    float height = ui_.line(font);
    if (math::text(ui_, {left_, y_}, text, {font, ink}, false) <= right_ - left_)
        math::text(ui_, {left_, y_}, text, {font, ink});
    else
        height = draw::text_wrapped(ui_, {left_, y_}, right_ - left_, text, {c_.font(FontRole::body), ink});
    y_ += height + px(6);
}

/// "softmax   e^(s − max) / Σ … = e^… / … = 0.83".
void NumberDrawing::draw_step(const Explanation& step) {
    const Theme& t = c_.theme();
    const float start = left_, named = px(110);
    const std::string_view title =
        tr(step.traits.step.empty() ? std::string_view(step.title) : std::string_view(step.traits.step));
    draw::text_in(ui_, {{left_, y_}, {left_ + named, y_ + ui_.line(c_.font(FontRole::body))}}, title,
                  {c_.font(FontRole::body_bold), t.attention_text});
    left_ += named;
    // What a mask does is said in words that name the case.
    const bool in_words = step.numbers.find_first_of("0123456789") == std::string::npos;
    const std::string numbers = tr_sentence(step.numbers), made = in_words ? numbers : step.formula + "  =  " + numbers;
    formula(made + "  =  " + precise(step.traced), c_.font(FontRole::body), t.text);
    left_ = start;
}

/// Draws one summand: its operands, and its share of the result. A click asks where its larger operand comes from.
void NumberDrawing::draw_term(int term, const Box& row, float most) {
    const Theme& t = c_.theme();
    const auto& one = e().terms[term];
    const std::string text = term_text(c_.frame, c_.slot, e(), term);
    const std::string_view label = ui_.items->format("whole/%s/term %d", Frame::letter(c_.slot), term);
    const Response r = click_area(ui_, label, row, one.contribution, text);
    has_keyboard(c_, label, row);
    if (r.hovered) draw::rounded_box(ui_, row, t.hover, 0, 5);
    const float bars = std::max(px(bar_width), row.width() * bar_share), x = row.min.x + px(8), middle = x + bars / 2,
                y = row.middle_y();
    const auto share = to_float(one.contribution) / std::max(most, 1e-30f);
    const float end = middle + std::clamp(share, -1.0f, 1.0f) * bars / 2, h = px(6);
    ui_.list()->AddRectFilled({std::min(middle, end), y - h}, {std::max(middle, end) + 1, y + h},
                              share < 0 ? t.danger : t.good, 2);
    ui_.list()->AddLine({middle, row.min.y}, {middle, row.max.y}, t.card_border, 1);
    draw::text_in(ui_, row.between_x(x + bars + px(14), row.max.x - px(8)), text, {c_.font(FontRole::body), t.text});
    const int operand = larger_operand(c_.trace, e(), term);
    if (operand < 0) return;
    const Cell at = known_as(c_.trace, one.operands[operand].cell);
    if (r.hovered) {
        c_.frame.state.hovering = {c_.slot, at};
        ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    }
    if (r.clicked) explain_operand(c_.frame.state, at);
}

/// Draws the terms with the largest |contribution| first, below their title, as many as fit above `bottom`.
void NumberDrawing::draw_terms(float bottom) {
    const Theme& t = c_.theme();
    const bool titled = !e().terms_title.empty();
    const float title = titled ? ui_.line(c_.font(FontRole::small_bold)) + px(4) : 0;
    const float row = std::max(px(term_row), ui_.line(c_.font(FontRole::body)) + px(4));
    // Room for one term and the line about the others.
    if (bottom - y_ - title < row * to_float(std::min<std::size_t>(2, e().terms.size()))) return;
    if (titled) line(tr(e().terms_title), c_.font(FontRole::small_bold), t.text_muted, px(4));
    const Box box{{left_, y_}, {right_, bottom}};
    std::vector<int> order(e().terms.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, std::ranges::greater{}, [&](int i) { return std::abs(e().terms[i].contribution); });
    float most = 0;
    for (const auto& term : e().terms)
        most = std::max(most, std::isfinite(term.contribution) ? to_float(std::abs(term.contribution)) : 0.0f);
    const int lines = std::max(1, static_cast<int>((box.height() - row) / row));
    const int columns = int_size(order) <= lines || box.width() < px(two_columns) ? 1 : 2;
    const int fitting = std::min(int_size(order), lines * columns);
    const int each = (fitting + columns - 1) / columns;
    for (int i = 0; i < fitting; ++i) {
        const float y = box.min.y + row * to_float(i % each);
        draw_term(order[i], box.column(i / each, columns, px(24)).between_y(y, y + row), most);
    }
    if (fitting == int_size(order)) return;
    const float y = box.min.y + row * to_float(each);
    const int rest = int_size(order) - fitting;
    draw::text_in(ui_, box.between_y(y, y + row),
                  ui_.items->format(tr("and %d smaller one; the panel at the side lists them all  (F3)",
                                       "and %d smaller ones; the panel at the side lists them all  (F3)", rest),
                                    rest),
                  {c_.font(FontRole::small), t.text_muted});
}

void NumberDrawing::draw() {
    const Theme& t = c_.theme();
    const Box card = c_.place.of({{px(6), px(5)}, {c_.view.width() - px(6), c_.view.height() - px(5)}});
    draw::rounded_box(ui_, card, t.card, t.card_border, 10);
    if (!c_.active) return;
    left_ = card.min.x + px(number_edge), right_ = card.max.x - px(number_edge), y_ = card.min.y + px(18);
    const std::string name = c_.frame.cell_name(c_.slot, x_.at.cell);
    const std::string value = precise(c_.trace, x_.at.cell);
    const std::string& node = c_.trace.graph()[x_.at.cell.node].name;
    ui_.items->add(c_.item("number"), {{left_, y_}, {right_, y_ + ui_.line(c_.font(FontRole::big))}}, x_.whole.traced,
                   name);
    line(name + " = " + value, c_.font(FontRole::big_bold), node_text_colour(t, node), px(2));
    line(place(c_.trace, x_.whole), c_.font(FontRole::small), t.text_muted, px(14));
    if (!was_made(x_.whole)) {
        const bool parameter = c_.trace.graph()[x_.at.cell.node].kind == NodeInfo::Kind::parameter;
        line(parameter ? std::string_view(tr("A learned number: training set it."))
                       : std::string_view(tr("An input: this is what the model was given.")),
             c_.font(FontRole::body), t.text, 0);
        return;
    }
    if (x_.chain.empty()) {
        formula(x_.whole.formula, c_.font(FontRole::title), t.text);
        formula(tr_sentence(x_.whole.numbers), c_.font(FontRole::title), t.text_muted);
    }
    for (const Explanation& step : x_.chain) draw_step(step);  // from the weight back to q · k
    if (const std::string inside = sum_inside(e()); !inside.empty())
        line(inside, c_.font(FontRole::small), t.text_muted, 0);
    y_ += px(8);
    const float foot = ui_.line(c_.font(FontRole::small)) + px(8);
    draw_terms(card.max.y - foot - px(8));
    const std::string_view check = ui_.items->format(
        tr("the model: %s   ·   recomputed from its operands: %s%s"), precise(x_.whole.traced).c_str(),
        precise(x_.whole.recomputed).c_str(), agrees(x_.whole) ? "  ✓" : "");
    draw::text_in(ui_, {{left_, card.max.y - foot - px(4)}, {right_, card.max.y - px(4)}}, check,
                  {c_.font(FontRole::small), t.text_muted});
}

}  // namespace

void draw_number_page(const Canvas& canvas) {
    const ViewState& state = canvas.frame.state;
    const bool mine =
        !state.trail.empty() && state.trail.back().slot == canvas.slot && state.trail.back().cell.node >= 0;
    const Ui& ui = canvas.ui();
    if (!mine) {
        if (canvas.active)  // the explained number may belong to the other sentence
            draw::text_in(ui, canvas.view, tr("Click a number of this sentence."),
                          {FontRole::body, canvas.theme().text_muted, draw::Align::centre});
        return;
    }
    const Cell cell = state.trail.back().cell;
    if (waits_for_guess(state, canvas.slot) || is_hidden_by_quiz(canvas.frame, canvas.slot, cell)) {
        const float pad = ui.px(28);
        if (canvas.active)
            draw_hidden_by_quiz(canvas.frame, canvas.slot, canvas.view.inset(pad), canvas.item("hidden"));
        return;
    }
    NumberDrawing(canvas, cell).draw();
}

}  // namespace glassformer::app::views::whole_model
