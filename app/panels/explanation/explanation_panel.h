#pragma once

#include "app/common/explanation.h"

/// The parts of the explanation panel. Each one draws at a given place and returns the height that it took.
namespace glassformer::app {

/// What every part needs: the explained number and its trace.
struct ExplanationPanel {
    const Frame& frame;
    const Trace& trace;
    const Explained& x;

    const Ui& ui() const { return frame.ui; }
    /// Highlights a cell in the other views.
    void light_up(const Cell& cell) const { frame.state.hovering = {x.at.slot, known_as(trace, cell)}; }
    /// Opens the explanation of an operand.
    void open(const Cell& cell) const { explain_operand(frame.state, known_as(trace, cell)); }
    std::string name(const Cell& cell) const { return frame.cell_name(x.at.slot, known_as(trace, cell)); }
};

/// Draws the title with the live value, the buttons, the trail of numbers that led here, and the cell's name.
float draw_explanation_header(const ExplanationPanel& panel, const Box& box);
/// The gradient of the answer on the page “words” of "Logit attribution" with respect to the number, and the paths it
/// came by; the height is 0 if nobody asked for it.
float explanation_gradient_height(const ExplanationPanel& panel);
void draw_explanation_gradient(const ExplanationPanel& panel, ImVec2 at, float width);
/// The footer: the check of the recomputed value, and the way deeper. It sits at the bottom of a panel that has room for it.
float explanation_footer_height(const Ui& ui);
void draw_explanation_footer(const ExplanationPanel& panel, const Box& box);

/// Draws the button that shows the whole vector. Returns its width plus the gap; 0 if there is only one number.
float draw_vector_switch(const ExplanationPanel& panel, ImVec2 top_right, float height);
/// Draws all numbers of the vector as digits if the user asked for them. Otherwise draws nothing and returns false.
bool draw_explanation_vector(const ExplanationPanel& panel, const Box& box);

/// Draws softmax and score as equations, with the words of the softmax as one bar.
float draw_attention_equations(const ExplanationPanel& panel, ImVec2 at, float width, bool stacked);
float draw_softmax_words(const ExplanationPanel& panel, ImVec2 at, float width);
float softmax_words_height(const Ui& ui);
/// Draws the numbers of the two vectors above the chart of their products.
float draw_factor_strips(const ExplanationPanel& panel, const Explanation& e, ImVec2 at, float width);

/// Draws one bar per term: green upwards or red downwards.
void draw_term_chart(const ExplanationPanel& panel, const Explanation& e, const Box& box);
/// Draws one row per term, with clickable operands. If `sorted`, rows are in order of contribution.
float draw_term_rows(const ExplanationPanel& panel, const Explanation& e, ImVec2 at, float width, bool sorted);

/// Draws a number that was not computed: a parameter or an input.
float draw_given_number(const ExplanationPanel& panel, ImVec2 at, float width);

}  // namespace glassformer::app
