#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "app/common/card_scope.h"
#include "app/common/hidden_by_quiz.h"
#include "app/common/predict_first.h"
#include "app/language/tr.h"
#include "app/panels/explanation/explanation_panel.h"
#include "app/panels/panels.h"
#include "app/ui/child_window.h"
#include "app/ui/math_text.h"
#include "app/ui/memo.h"

namespace glassformer::app {

namespace {

constexpr float padding = 14, chart_least = 52, chart_most = 120;  // pixels at 100 %
constexpr float least_body = 60;                                   // the formula and what it is called
constexpr float least_apart = 150;                                 // with header and footer beside what scrolls
constexpr float least_vector = 100;
constexpr std::size_t few_terms = 12;  // up to here, rows alone are enough

/// Splits "a = b = c" into pieces.
void split_equation(std::string_view text, std::vector<math::Piece>& pieces) {
    while (!text.empty()) {
        const std::size_t equals = text.find(" = ");
        pieces.push_back({text.substr(0, equals)});
        text = equals == std::string_view::npos ? std::string_view() : text.substr(equals + 3);
    }
}

/// Draws formula, numbers and value of any op.
float draw_formula(const ExplanationPanel& panel, const Explanation& e, ImVec2 at, float width, bool stacked) {
    const Ui& ui = panel.ui();
    const std::string numbers = typographic(tr_sentence(e.numbers)), value = shown(e.traced);
    std::vector<math::Piece> pieces;
    if (!e.reading.numbers_say_formula || numbers.empty()) split_equation(e.formula, pieces);
    split_equation(numbers, pieces);
    pieces.push_back({value, true});
    const float height = math::equation(ui, at, width, pieces, {FontRole::body, 0, stacked});
    ui.items->add("explain/formula", {at, {at.x + width, at.y + height}}, e.traced, e.formula);
    return height;
}

/// If the op is a function of the sum of its terms, the caption states that sum, so that the rows add up to a visible
/// number.
std::string caption_of(const Explanation& e) {
    const std::string inside = sum_inside(e);
    return inside.empty() ? tr(e.terms_title) : filled(tr("{1}: {2}"), {inside, tr(e.terms_title)});
}

float draw_caption(const Ui& ui, ImVec2 at, float width, std::string_view text) {
    const float line = ui.line(FontRole::small);
    draw::text_in(ui, {at, {at.x + width, at.y + line}}, text, {FontRole::small, ui.theme->text_muted});
    return line + ui.px(3);
}

/// Draws the chart and, in a tall box, the vectors above it; returns the height taken.
float draw_chart_block(const ExplanationPanel& panel, ImVec2 at, float width, float height, bool strips) {
    const Ui& ui = panel.ui();
    const Explanation& e = panel.x.charted();
    float y = at.y + draw_caption(ui, at, width, caption_of(e));
    float chart_width = width;
    if (strips) {
        chart_width -= ui.px(18);  // for the letters q and k
        y += draw_factor_strips(panel, e, {at.x, y}, chart_width);
    }
    draw_term_chart(panel, e, {{at.x, y}, {at.x + chart_width, y + height}});
    return y + height + ui.px(6) - at.y;
}

/// Draws an attention weight or score: softmax, score and q · k in one picture.
float draw_attention_body(const ExplanationPanel& panel, ImVec2 at, float width, float room, bool tall) {
    const Ui& ui = panel.ui();
    float y = at.y + draw_attention_equations(panel, at, width, tall) + ui.px(2);
    const bool words = panel.x.share() != nullptr;
    if (tall && words) y += draw_softmax_words(panel, {at.x, y}, width) + ui.px(10);
    const float rest = room - (y - at.y) - ui.line(FontRole::small) - ui.px(9);
    // If the row of words below would be clipped, the chart takes its room too.
    const bool cut = !tall && words && rest < ui.px(chart_most) + softmax_words_height(ui);
    const float chart =
        std::clamp(rest, ui.px(chart_least), cut ? std::max(rest, ui.px(chart_most)) : ui.px(chart_most));
    y += draw_chart_block(panel, {at.x, y}, width, chart, tall);
    if (!tall && words) y += draw_softmax_words(panel, {at.x, y}, width);
    y += ui.px(8);
    return y + draw_term_rows(panel, panel.x.charted(), {at.x, y}, width, true) - at.y;
}

/// Draws any other op: its formula, then its terms.
float draw_op_body(const ExplanationPanel& panel, ImVec2 at, float width, bool tall) {
    const Ui& ui = panel.ui();
    const Explanation& e = panel.x.whole;
    float y = at.y + draw_formula(panel, e, at, width, tall) + ui.px(4);
    if (e.terms.empty()) return y - at.y;
    if (e.terms.size() <= few_terms) {
        y += draw_caption(ui, {at.x, y}, width, caption_of(e));
        return y + draw_term_rows(panel, e, {at.x, y}, width, false) - at.y;
    }
    y += draw_chart_block(panel, {at.x, y}, width, ui.px(tall ? chart_most : chart_least),
                          tall && e.traits.role == OpRole::attention_scores);
    return y + draw_term_rows(panel, e, {at.x, y}, width, true) - at.y;
}

/// Draws what is between header and footer; `room` is the height that is visible at once.
float draw_body(const ExplanationPanel& panel, ImVec2 at, float width, float room) {
    const bool tall = room >= panel.ui().px(300);
    if (!was_made(panel.x.whole)) return draw_given_number(panel, at, width);
    if (!panel.x.chain.empty()) return draw_attention_body(panel, at, width, room, tall);
    return draw_op_body(panel, at, width, tall);
}

/// Draws body and gradient, the gradient first if the formula still has room below it. Returns the height.
float draw_body_and_gradient(const ExplanationPanel& panel, ImVec2 at, float width, float room) {
    const float gradient = explanation_gradient_height(panel), below = room - gradient;
    if (below >= panel.ui().px(least_body)) {
        draw_explanation_gradient(panel, at, width);
        return gradient + draw_body(panel, {at.x, at.y + gradient}, width, below);
    }
    const float height = draw_body(panel, at, width, room);
    draw_explanation_gradient(panel, {at.x, at.y + height}, width);
    return height + gradient;
}

/// Draws header, body and footer. Only the body scrolls; where it would have no room for the formula, first the footer
/// scrolls with it, then the header.
void draw_number(const ExplanationPanel& panel, const Box& box, const Box& inner) {
    const Ui& ui = panel.ui();
    // One child window per node, so that every explanation keeps its own scroll position.
    const std::string_view id = ui.items->format("explanation %d", panel.x.at.cell.node);
    const auto scrolled = [&](std::optional<ChildWindow>& window, ImVec2 min, float bottom) {
        window.emplace(ui, id.data(), Box{min, {box.max.x - ui.px(2), bottom}}, ChildWindow::Kind::scrolls);
        return window->start();
    };
    std::optional<ChildWindow> window;
    const bool low = inner.height() < ui.px(least_apart), made = was_made(panel.x.whole);
    ImVec2 at = low ? scrolled(window, inner.min, inner.max.y) : inner.min;
    // Highlights what the mouse is over in this panel, or nothing.
    ui.list()->PushClipRect(box.min, box.max, true);  // the panel that its numbers belong to
    const float header = draw_explanation_header(panel, Box::sized(at, inner.width(), inner.height())) + ui.px(8);
    ui.list()->PopClipRect();
    at.y += header;
    const float foot = explanation_footer_height(ui), below = made ? foot + ui.px(6) : 0;
    float room = inner.height() - header;
    const bool apart = !low && room - below >= ui.px(least_body);
    if (apart) room -= below;
    float height = std::max(room, ui.px(least_vector));
    if (!draw_explanation_vector(panel, Box::sized(at, inner.width(), low ? height : room))) {
        if (!low) at = scrolled(window, at, at.y + room);
        height = draw_body_and_gradient(panel, at, inner.width(), room);
    }
    at.y += height;
    const auto end = [&](float bottom) {
        if (window) window->reaches({at.x + 1, std::floor(std::max(bottom, at.y + 1))});
        window.reset();
    };
    if (apart) end(at.y);
    const ImVec2 foot_at = apart ? ImVec2{inner.min.x, inner.max.y - foot} : ImVec2{at.x, at.y + ui.px(6)};
    if (made && (apart || window)) draw_explanation_footer(panel, Box::sized(foot_at, inner.width(), foot));
    if (!apart) end(at.y + below);
}

/// Computed once per number of a trace: in a long sentence it can have thousands of operands.
const Explained& explained_once(const Frame& frame, const TracedCell& at) {
    static thread_local Memo<std::pair<SharedKey<Trace>, TracedCell>, Explained, 1> known;
    const std::shared_ptr<const Trace>& trace = frame.sentence(at.slot).trace;
    return known({trace, at}, [&] { return explained(*trace, at); });
}

void draw_nothing_explained(const Frame& frame, const Box& inner) {
    const Ui& ui = frame.ui;
    draw::text(ui, inner.min, tr("Where does a number come from?"), {FontRole::title_bold});
    const float y = inner.min.y + ui.line(FontRole::title_bold) + ui.px(8);
    draw::text_wrapped(ui, {inner.min.x, y}, inner.width(), tr("Click any number to see what it was computed from."),
                       {FontRole::small, ui.theme->text_muted});
}

}  // namespace

void draw_explanation(const Frame& frame, const Box& box) {
    const Ui& ui = frame.ui;
    draw::card(ui, box);
    const float pad = ui.px(padding);
    const Box inner = box.inset(pad, ui.px(10));
    if (frame.state.trail.empty() || !frame.trace(frame.state.trail.back().slot))
        return draw_nothing_explained(frame, inner);
    const TracedCell at = frame.state.trail.back();
    const Trace& trace = *frame.trace(at.slot);
    const CardScope scope(frame, at.slot);
    if (waits_for_guess(frame.state, at.slot) || is_hidden_by_quiz(frame, at.slot, at.cell))
        return draw_prediction_question(frame, at.slot, inner);
    const Explained& x = explained_once(frame, at);
    const ExplanationPanel panel{frame, trace, x};
    draw_number(panel, box, inner);
}

}  // namespace glassformer::app
