#include "app/common/traced_value.h"

#include <algorithm>
#include <cmath>

#include "app/common/answer_gradient.h"
#include "app/common/explanation.h"
#include "app/common/hidden_by_quiz.h"
#include "app/common/stage_motion.h"
#include "app/language/tr.h"

namespace glassformer::app {

bool is_lit(const ViewState& state, int slot, const Cell& cell) {
    const TracedCell here{slot, cell};
    if (state.hovered == here || state.linked == here) return true;
    return !state.trail.empty() && state.trail.back() == here && !waits_for_guess(state, slot);
}

void point_at(const Frame& frame, int slot, const Cell& cell, bool clicked, std::string_view title) {
    if (is_hidden_by_quiz(frame, slot, cell)) return draw::tooltip(frame.ui, tr(say_it_first));
    frame.state.hovering = {slot, cell};
    ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    if (title.empty()) {
        const std::string value = draw::signed_number(frame.trace(slot)->at(cell), 4);
        const std::string name = frame.cell_name(slot, cell);
        title = frame.ui.items->format("%s  %s", name.c_str(), value.c_str());
    }
    std::string with_gradient;
    if (const std::optional<AnswerGradient> gradient = answer_gradient(frame, slot, cell))
        title = with_gradient =
            filled(tr("{1}\n∂f/∂x = {2}; f: {3}"), {std::string(title), precise(gradient->value), gradient->answer});
    draw::tooltip(frame.ui, frame.ui.items->format(tr("%.*s\nClick to see where it comes from"),
                                                   static_cast<int>(title.size()), title.data()));
    if (!clicked) return;
    frame.state.slot = slot;
    explain(frame.state, {slot, cell});
    frame.state.window.open_number();
}

ValueUse traced_value(const Frame& frame, int slot, const Cell& cell, std::string_view label, const Box& box) {
    const bool hidden_by_quiz = is_hidden_by_quiz(frame, slot, cell);
    const Response response = click_area(
        frame.ui, label, box, hidden_by_quiz ? std::nullopt : std::optional<double>(frame.trace(slot)->at(cell)));
    if (response.hovered) point_at(frame, slot, cell, response.clicked);
    note_place(frame, slot, cell, box);
    if (is_lit(frame.state, slot, cell)) draw::selection_frame(frame.ui, box, 4);
    if (hidden_by_quiz) return {response.hovered, false};
    return {response.hovered, response.clicked};
}

void traced_strip(const Frame& frame, int slot, const TracedStrip& strip, std::string_view label, const Box& box) {
    const Ui& ui = frame.ui;
    const int count = static_cast<int>(strip.values.size());
    const Response response = click_area(ui, label, box);
    const int under = draw::signed_strip(ui, box, strip.values, strip.range, strip.faded);
    for (int i = 0; i < count; ++i) {
        const Box cell = draw::strip_cell(ui, box, i, count);
        ui.items->addf(cell, strip.values[i], "%.*s %d", static_cast<int>(label.size()), label.data(), i);
        note_place(frame, slot, {strip.first.node, strip.first.offset + i}, cell);
        if (is_lit(frame.state, slot, {strip.first.node, strip.first.offset + i}))
            draw::selection_frame(ui, cell.inset(-ui.px(1)), 2);
    }
    if (response.hovered && under >= 0)
        point_at(frame, slot, {strip.first.node, strip.first.offset + under}, response.clicked);
}

Cell largest_cell(const Trace& trace, int node, int position) {
    const bool of_all = trace.graph()[node].kind == NodeInfo::Kind::parameter;
    const SliceView part = trace.part(node, of_all ? trace.slices(node).all() : Slices{position, 1});
    const auto largest = std::ranges::max_element(part.values(), {}, [](float x) { return std::abs(x); });
    return {node, part.first() + (largest - part.values().begin())};
}

}  // namespace glassformer::app
