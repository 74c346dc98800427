#include "app/common/hidden_by_quiz.h"

#include <array>

#include "app/common/lesson_secrets.h"
#include "app/language/tr.h"
#include "core/graph/hook_names.h"

namespace glassformer::app {

namespace {

bool is_pair_hidden_by_quiz(const Frame& frame, int slot, const Cell& cell, const NodePlace& place) {
    const Shape& shape = frame.trace(slot)->graph()[cell.node].shape;
    const std::int64_t keys = shape.back(), queries = shape.back(1);
    const auto query = static_cast<int>(cell.offset / keys % queries),
               head = static_cast<int>(cell.offset / keys / queries);
    if (place.encoder || place.block < 0) return false;
    return row_hidden_by_quiz(frame, slot, {place.block, head}, place.cross()) == query;
}

}  // namespace

int row_hidden_by_quiz(const Frame& frame, int slot, const HeadChoice& head, bool cross) {
    if (const int asked = frame.state.own<LessonSecrets>().row(slot, head, cross); asked >= 0) return asked;
    if (frame.state.cross_attention != cross) return -1;
    for (const int other : std::array{slot, 1 - slot}) {
        const bool same = other == slot || (frame.trace(slot) && frame.trace(slot) == frame.trace(other));
        if (same && waits_for_guess(frame.state, other) && head_of(frame.state, other) == head)
            return frame.state.token[other];
    }
    return -1;
}

bool is_hidden_by_quiz(const Frame& frame, int slot, const Cell& cell) {
    const LessonSecrets& asked = frame.state.own<LessonSecrets>();
    if (!asked.any() && !waits_for_guess(frame.state, 0) && !waits_for_guess(frame.state, 1)) return false;
    const Trace* trace = frame.trace(slot);
    if (!trace || cell.node < 0) return false;
    if (!asked.numbers.empty() && asked.holds(trace->at(cell))) return true;
    const NodePlace place = node_place(trace->graph()[cell.node].name);
    if (place.of_pairs()) return is_pair_hidden_by_quiz(frame, slot, cell, place);
    if (cell.node != trace->model().logits && cell.node != trace->model().probabilities) return false;
    const Shape& shape = trace->graph()[cell.node].shape;
    const bool of_sentence = frame.model(slot).config.output == OutputKind::classes;
    const int chosen = frame.state.token[slot];
    return saying_waits(frame.state, slot, of_sentence ? chosen : static_cast<int>(cell.offset / shape.back()));
}

float draw_hidden_by_quiz(const Frame& frame, int slot, const Box& box, std::string_view label) {
    const Ui& ui = frame.ui;
    const HeadChoice head = head_of(frame.state, slot);
    const std::string word = frame.word(slot, frame.state.token[slot]);
    const std::string_view question = ui.items->format(tr("What does “%s” attend to most in block %d · head %d?"),
                                                       word.c_str(), head.layer, head.head);
    float y = box.min.y;
    y += draw::text_wrapped(ui, {box.min.x, y}, box.width(), question, {FontRole::body_bold}) + ui.px(4);
    y += draw::text_wrapped(ui, {box.min.x, y}, box.width(),
                            frame.state.own<LessonSecrets>().any()
                                ? tr("Hidden for now: answer the lesson's question first.")
                                : tr("Hidden for now: guess first, in Attention or in Flow."),
                            {FontRole::small, ui.theme->text_muted});
    ui.items->add(label, box.above(y), std::nullopt, question);
    return y;
}

}  // namespace glassformer::app
