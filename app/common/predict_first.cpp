#include "app/common/predict_first.h"

#include <algorithm>

#include "app/common/explanation.h"
#include "app/common/lesson_secrets.h"
#include "app/language/tr.h"

namespace glassformer::app {

namespace {

bool in_lesson(const ViewState& state) { return state.window.lessons.open >= 0; }
bool in_use(const ViewState& state) {
    const PredictFirst& predict = state.own<PredictFirst>();
    return predict.on && predict.possible && !in_lesson(state);
}

std::string head_name(const HeadChoice& head) {
    return filled(tr("block {1} · head {2}"), {std::to_string(head.layer), std::to_string(head.head)});
}

std::string score(const PredictFirst& predict) {
    return filled(tr("{1} of {2} right"), {std::to_string(predict.right), std::to_string(predict.asked)});
}

std::string key_word(const Frame& frame, const Prediction& p, int key) {
    return p.cross ? frame.source_word(p.slot, key) : frame.word(p.slot, key);
}

}  // namespace

void toggle_prediction(ViewState& state) {
    PredictFirst& predict = state.own<PredictFirst>();
    if (!predict.possible) {
        state.window.notice = {tr("Predict first is not available: this model has no attention.")};
        return;
    }
    predict = {.on = !predict.on};
}

void update_prediction(const Frame& frame) {
    PredictFirst& predict = frame.state.own<PredictFirst>();
    predict.possible =
        !frame.model(0).config.recurrent() || (frame.state.compare && !frame.model(1).config.recurrent());
    for (int slot = 0; slot < 2; ++slot) {
        const std::size_t at = slot;
        const Trace* trace = frame.trace(slot);
        predict.asks[at] = trace && has_attention(frame.state, *trace);
        if (!predict.on || predict.subject[at] == frame.sentence(slot).text) continue;
        predict.subject[at] = frame.sentence(slot).text;
        std::erase_if(predict.made, [&](const Prediction& p) { return p.slot == slot; });
    }
}

const Prediction* prediction_of(const ViewState& state, int slot) {
    const HeadChoice head = head_of(state, slot);
    const int token = state.token[slot];
    const std::vector<Prediction>& made = state.own<PredictFirst>().made;
    const auto found = std::ranges::find_if(made, [&](const Prediction& p) {
        return p.slot == slot && p.layer == head.layer && p.head == head.head && p.token == token &&
               p.cross == state.cross_attention;
    });
    return found == made.end() ? nullptr : &*found;
}

bool waits_for_guess(const ViewState& state, int slot) {
    const int chosen = state.token[slot];
    if (state.own<LessonSecrets>().asks_row(slot, head_of(state, slot), state.cross_attention, chosen)) return true;
    return in_use(state) && state.own<PredictFirst>().asks[slot] && !prediction_of(state, slot);
}

bool saying_waits(const ViewState& state, int slot, int position) {
    if (state.own<LessonSecrets>().says(slot, position)) return true;
    return position == state.token[slot] && waits_for_guess(state, slot);
}

bool waits_for_guess(const Frame& frame, const HeadTrace& head, int query) {
    const HeadChoice choice{frame.state.layer, head.head};
    if (frame.state.own<LessonSecrets>().asks_row(head.slot, choice, head.cross, query)) return true;
    return query == head.query && waits_for_guess(frame.state, head.slot);
}

void guess(const Frame& frame, const HeadTrace& head, int key) {
    ViewState& state = frame.state;
    if (in_lesson(state) || !waits_for_guess(state, head.slot) || head.hidden(head.query, key)) return;
    const int looked = head.strongest(head.query);
    const Prediction made{head.slot,  state.layer, head.head, head.query,
                          head.cross, key,         looked,    head.pair(head.pattern, head.query, looked)};
    state.slot = head.slot;
    PredictFirst& predict = state.own<PredictFirst>();
    predict.made.push_back(made);
    ++predict.asked;
    predict.right += made.right();
    // The explanation opens at the weight that was asked for.
    state.stage = "attn.hook_pattern";
    state.follow_strongest = true;
}

void draw_waiting(const Ui& ui, std::string_view label, const Box& box, draw::Align align) {
    draw::label(ui, box, "?", {FontRole::small_bold, ui.theme->text_faint, align}, {label});
}

void guess_area(const Frame& frame, const HeadTrace& head, int key, std::string_view label, const Box& box,
                std::string_view text) {
    const Ui& ui = frame.ui;
    const bool open = !head.hidden(head.query, key) && !in_lesson(frame.state);
    const Response r = click_area(ui, label, box, std::nullopt, text, open);
    if (!open) return;
    if (r.hovered) {
        const std::string from = frame.word(head.slot, head.query), to = head.key_word(frame, key);
        draw::rounded_box(ui, box, with_alpha(ui.theme->selection, 0.18f), ui.theme->selection, 4);
        ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
        draw::tooltip(ui, ui.items->format(tr("Guess that “%s” attends most to “%s”"), from.c_str(), to.c_str()));
    }
    if (r.clicked) guess(frame, head, key);
}

float draw_prediction_switch(const Frame& frame, ImVec2 top_right, float height) {
    const Ui& ui = frame.ui;
    ViewState& state = frame.state;
    const bool possible = state.own<PredictFirst>().possible;
    const ButtonStyle style{
        .tone = Tone::quiet,
        .selected = in_use(state),
        .enabled = possible && !in_lesson(state),
        .font = FontRole::small_bold,
        .tooltip = in_lesson(state) ? tr("Predict first\nNot available in a lesson, which asks its own questions.")
                   : !possible      ? tr("Predict first\nNot available: this model has no attention.")
                               : tr("Predict first (P)\nHides what the chosen word attends to until you guess it, and "
                                    "counts your right guesses.")};
    const PredictFirst& predict = state.own<PredictFirst>();
    const std::string_view text =
        in_use(state) ? ui.items->format(tr("? %d of %d"), predict.right, predict.asked) : "?";
    const float width = std::max(height, draw::text_size(ui, text, FontRole::small_bold).x + ui.px(12));
    const Box box{{top_right.x - width, top_right.y}, {top_right.x, top_right.y + height}};
    if (in_use(state)) ui.items->add("predict/score", box, predict.right, score(predict));
    if (button(ui, "predict", box, text, style)) toggle_prediction(state);
    return width;
}

float draw_verdict(const Frame& frame, int slot, ImVec2 at, float width) {
    if (!in_use(frame.state)) return 0;
    const Ui& ui = frame.ui;
    const float line = ui.line(FontRole::small);
    const Prediction* made = prediction_of(frame.state, slot);
    if (!made) return 0;
    const ImVec2 end{at.x + width, at.y + line};
    const std::string said = key_word(frame, *made, made->said), looked = key_word(frame, *made, made->looked);
    const std::string weight = shown(static_cast<double>(made->weight));
    const std::string whole = made->right()
                                  ? filled(tr("✓ {1} is right: weight {2}"), {said, weight})
                                  : filled(tr("✗ not {1}: most attention goes to {2}, {3}"), {said, looked, weight});
    const std::string brief = made->right() ? "✓ " + said + " " + weight : "✗ " + said + ": " + looked + " " + weight;
    draw::text_in(ui, {at, end}, draw::first_fitting(ui, width, {whole, brief}, FontRole::small_bold),
                  {FontRole::small_bold, made->right() ? ui.theme->good_text : ui.theme->danger_text});
    ui.items->add("predict/verdict", {at, end}, item_state(made->right() ? 1 : 0), whole);
    if (draw::hovered({at, end})) draw::tooltip(ui, whole);
    return line + ui.px(4);
}

void draw_prediction_question(const Frame& frame, int slot, const Box& inner) {
    const Ui& ui = frame.ui;
    const float button_height = ui.px(24);
    const float right = inner.max.x - draw_prediction_switch(frame, {inner.max.x, inner.min.y}, button_height);
    const ImVec2 min = inner.min, max{right - ui.px(8), inner.min.y + button_height};
    draw::text_in(ui, {min, max}, tr("Where does ? come from?"), {FontRole::title_bold});
    ui.items->add("explain/value", {min, max}, std::nullopt, "?");
    float y = max.y + ui.px(6);
    const std::string word = frame.word(slot, frame.state.token[slot]);
    if (in_lesson(frame.state)) {
        draw::label_wrapped(ui, {inner.min.x, y}, inner.width(),
                            tr("The lesson below asks about it. Answer first, and it appears here."), {},
                            {"predict/question"});
        return;
    }
    const std::string question =
        filled(tr("What does “{1}” attend to most in {2}?"), {word, head_name(head_of(frame.state, slot))});
    const float top = y;
    y += draw::text_wrapped(ui, {inner.min.x, y}, inner.width(), question, {FontRole::body_bold}) + ui.px(6);
    y += draw::text_wrapped(
        ui, {inner.min.x, y}, inner.width(),
        filled(
            tr("Click your guess in the row of “{1}”, in the worksheet or in the pattern. Then everything is shown."),
            {word}),
        {FontRole::small, ui.theme->text_muted});
    ui.items->add("predict/question", inner.between_y(top, y), std::nullopt, question);
}

}  // namespace glassformer::app
