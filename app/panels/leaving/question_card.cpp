#include "app/panels/leaving/question_card.h"

#include <algorithm>
#include <cfloat>
#include <cmath>

#include "app/language/tr.h"
#include "app/ui/input.h"
#include "app/ui/modal_card.h"

namespace glassformer::app {

namespace {

constexpr float question_width = 440, answer_height = 32, question_padding = 18;  // pixels at 100 %

int draw_card(const Frame& frame, const Box& card, const Question& question) {
    const Ui& ui = frame.ui;
    const float pad = ui.px(question_padding);
    draw::card(ui, card);
    ui.items->add(question.label, card, item_state(question.number), question.text);
    draw::text_wrapped(ui, {card.min.x + pad, card.min.y + pad}, card.width() - 2 * pad, question.text);
    ImVec2 at{card.min.x + pad, card.max.y - pad - ui.px(answer_height)};
    int clicked = -1;
    for (std::size_t i = 0; i < question.answers.size(); ++i) {
        const Answer& answer = question.answers[i];
        ButtonStyle style;
        style.tone = answer.tone;
        style.tooltip = tr(answer.tooltip);
        if (chip(ui, answer.label, at, ui.px(answer_height), tr(answer.text), style)) clicked = static_cast<int>(i);
    }
    return clicked;
}

}  // namespace

int draw_question(const Frame& frame, const Box& window, const Question& question) {
    const Ui& ui = frame.ui;
    const float width = std::min(ui.px(question_width), window.width() - ui.px(32)), pad = ui.px(question_padding);
    const float height = draw::wrapped_height(ui, width - 2 * pad, question.text) + 3 * pad + ui.px(answer_height);
    const ImVec2 min{std::round((window.min.x + window.max.x - width) / 2),
                     std::round(window.min.y + (window.height() - height) * 0.35f)};
    const Box card{min, {min.x + width, min.y + height}};
    const ModalCard over(ui, question.label, window, card, false);
    return draw_card(frame, card, question);
}

bool question_keys(const Frame& frame) {
    Focus& focus = *frame.ui.focus;
    if (key_pressed(Key::f6)) focus.move(shift_down() ? -1 : 1);
    if (focus.any() && (key_pressed(Key::enter) || key_pressed(Key::space))) focus.activate();
    return key_pressed(Key::escape);
}

}  // namespace glassformer::app
