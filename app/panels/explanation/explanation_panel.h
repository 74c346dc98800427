#pragma once

#include "app/common/explanation.h"

/// The pieces that the explanation panel is put together from, each drawn at a place and returning the height taken.
namespace glassformer::app {

/// What every piece needs: the number on screen and its trace.
struct ExplanationPanel {
    const Frame& frame;
    const Trace& trace;
    const Explained& x;

    const Ui& ui() const { return frame.ui; }
    /// Lights a cell up in the other views.
    void light_up(const Cell& cell) const { frame.state.hovering = {x.at.slot, known_as(trace, cell)}; }
    /// Goes to an operand.
    void open(const Cell& cell) const { explain_operand(frame.state, known_as(trace, cell)); }
    std::string name(const Cell& cell) const { return frame.cell_name(x.at.slot, known_as(trace, cell)); }
};

/// Title with the live value, buttons, the way here, and the name of the cell.
float draw_explanation_header(const ExplanationPanel& panel, const Box& box);
/// The check of the recomputed value, and the way deeper; is at the bottom of the box.
float explanation_footer_height(const Ui& ui);
void draw_explanation_footer(const ExplanationPanel& panel, const Box& box);

/// How many numbers the vector has that the number is one of; 1 for a number that stands alone.
std::int64_t vector_length(const ExplanationPanel& panel);
/// The button that shows all of them; returns its width with the gap, 0 where there is one number.
float draw_vector_switch(const ExplanationPanel& panel, ImVec2 top_right, float height);
/// All of them in digits, where they were asked for; else false, and nothing is drawn.
bool draw_explanation_vector(const ExplanationPanel& panel, const Box& box);

/// Softmax and score as equations, with the softmax's words as one bar.
float draw_attention_equations(const ExplanationPanel& panel, ImVec2 at, float width, bool stacked);
float draw_softmax_words(const ExplanationPanel& panel, ImVec2 at, float width);
float softmax_words_height(const Ui& ui);
/// The numbers of the two vectors above the chart of their products.
float draw_factor_strips(const ExplanationPanel& panel, const Explanation& e, ImVec2 at, float width);

/// One bar a term, up and green or down and red.
void draw_term_chart(const ExplanationPanel& panel, const Explanation& e, const Box& box);
/// One row a term, its operands to click; sorted by contribution where `sorted`.
float draw_term_rows(const ExplanationPanel& panel, const Explanation& e, ImVec2 at, float width, bool sorted);

/// A number that nothing made: a parameter or an input.
float draw_given_number(const ExplanationPanel& panel, ImVec2 at, float width);

}  // namespace glassformer::app
