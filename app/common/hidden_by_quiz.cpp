#include "app/common/hidden_by_quiz.h"

#include <array>

#include "app/common/lesson_secrets.h"
#include "app/language/tr.h"

namespace glassformer::app {

namespace {

/// The scores and the weights of a block's attention are named by these.
bool holds_pairs(std::string_view node) {
    return node.find(".hook_attn_scores") != std::string_view::npos || node.ends_with(".hook_pattern");
}

bool is_pair_hidden_by_quiz(const Frame& frame, int slot, const Cell& cell, std::string_view node) {
    const Shape& shape = frame.trace(slot)->graph()[cell.node].shape;
    const std::int64_t keys = shape.back(), queries = shape.back(1);
    const auto query = static_cast<int>(cell.offset / keys % queries),
               head = static_cast<int>(cell.offset / keys / queries);
    const bool cross = node.find(".cross_attn.") != std::string_view::npos;
    for (int layer = 0; layer < frame.model(slot).config.n_layers; ++layer)
        if (node.starts_with(frame.ui.items->format("blocks.%d.", layer)))
            return row_hidden_by_quiz(frame, slot, {layer, head}, cross) == query;
    return false;
}

}  // namespace

int row_hidden_by_quiz(const Frame& frame, int slot, const HeadChoice& head, bool cross) {
    if (const int asked = frame.state.own<LessonSecrets>().row(slot, head, cross); asked >= 0) return asked;
    if (frame.state.cross_attention != cross) return -1;
    for (const int other : std::array{slot, 1 - slot}) {
        const bool same = other == slot || (frame.trace(slot) && frame.trace(slot) == frame.trace(other));
        if (same && waits_for_guess(frame.state, other) && head_of(frame.state, other) == head)
            return frame.state.token[static_cast<std::size_t>(other)];
    }
    return -1;
}

bool is_hidden_by_quiz(const Frame& frame, int slot, const Cell& cell) {
    const LessonSecrets& asked = frame.state.own<LessonSecrets>();
    if (!asked.any() && !waits_for_guess(frame.state, 0) && !waits_for_guess(frame.state, 1)) return false;
    const Trace* trace = frame.trace(slot);
    if (!trace || cell.node < 0) return false;
    if (!asked.numbers.empty() && asked.holds(static_cast<double>(trace->at(cell)))) return true;
    const std::string& node = trace->graph()[cell.node].name;
    if (holds_pairs(node)) return is_pair_hidden_by_quiz(frame, slot, cell, node);
    if (cell.node != trace->model().logits && cell.node != trace->model().probabilities) return false;
    const Shape& shape = trace->graph()[cell.node].shape;
    const bool of_sentence = frame.model(slot).config.output == OutputKind::classes;
    const int chosen = frame.state.token[static_cast<std::size_t>(slot)];
    return saying_waits(frame.state, slot, of_sentence ? chosen : static_cast<int>(cell.offset / shape.back()));
}

float draw_hidden_by_quiz(const Frame& frame, int slot, const Box& box, std::string_view label) {
    const Ui& ui = frame.ui;
    const HeadChoice head = head_of(frame.state, slot);
    const std::string word = frame.word(slot, frame.state.token[static_cast<std::size_t>(slot)]);
    const std::string_view question = ui.items->format(tr("Which word does “%s” look at most in block %d · head %d?"),
                                                       word.c_str(), head.layer, head.head);
    float y = box.min.y;
    y += draw::text_wrapped(ui, {box.min.x, y}, box.width(), question, {FontRole::body_bold}) + ui.px(4);
    y += draw::text_wrapped(ui, {box.min.x, y}, box.width(),
                            frame.state.own<LessonSecrets>().any()
                                ? tr("This would give a hint. Answer the lesson's question first.")
                                : tr("This would give a hint. Guess first, in Attention or in Flow."),
                            {FontRole::small, ui.theme->text_muted});
    ui.items->add(label, box.above(y), std::nullopt, question);
    return y;
}

}  // namespace glassformer::app
