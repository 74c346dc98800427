#include <algorithm>

#include "app/common/hidden_word.h"
#include "app/common/predict_first.h"
#include "app/common/provenance.h"
#include "app/language/sentences.h"
#include "app/language/tr.h"
#include "app/panels/sentence/compare_controls.h"
#include "app/panels/sentence/sentence_parts.h"
#include "app/session/masks.h"
#include "app/views/registry.h"

namespace glassformer::app {

namespace {

/// Returns true for card A, and for card B if it has its own sentence; otherwise B shows A's.
bool own_sentence(const Frame& frame, int slot) { return slot == 0 || frame.snapshot.comparing.of_sentences(); }

/// Draws the model's answer about a whole sentence, if it gives one: its class, or whose translation is shown. Returns
/// its right end.
float draw_said(const Frame& frame, const Box& box, int slot) {
    const Ui& ui = frame.ui;
    const ModelInfo& model = frame.model();
    const Trace* trace = frame.trace(slot);
    if (!trace || box.width() < ui.px(40)) return box.min.x;
    std::string_view text;
    if (model.translates()) {
        // Produced before the model was altered; under the change, it might write something else.
        const bool before = frame.sentence(slot).original != nullptr, given = frame.sentence(slot).target_given;
        const char* const whole = given    ? tr("your translation")
                                  : before ? tr("translated by the unaltered model")
                                           : tr("translated by the model");
        const char* const brief = given ? tr("yours") : before ? tr("unaltered") : tr("the model's");
        text = draw::first_fitting(ui, box.width(), {whole, brief}, FontRole::small);
        ui.items->add(ui.items->of_card(slot, "translated"), box, std::nullopt, text);
    } else if (model.config.output == OutputKind::classes) {
        const std::span<const float> shares = trace->values(trace->model().probabilities);
        const auto best = std::ranges::max_element(shares);
        if (saying_waits(frame.state, slot, frame.state.token[slot]))
            return draw_waiting(ui, ui.items->of_card(slot, "said"), box, draw::Align::left), box.max.x;
        const bool tie = std::ranges::count(shares, *best) > 1;
        const std::string name = tie ? tr("undecided") : model.class_name(static_cast<int>(best - shares.begin()));
        ui.items->add(ui.items->of_card(slot, "said"), box, *best, name);
        text = draw::first_fitting(ui, box.width(),
                                   {ui.items->format("%s %.0f %%", name.c_str(), 100 * static_cast<double>(*best)),
                                    ui.items->format("%s", name.c_str())},
                                   FontRole::small);
    }
    if (text.empty()) return box.min.x;
    draw::text_in(ui, box, text, {FontRole::small, ui.theme->text_muted});
    return box.min.x + draw::text_size(ui, text, FontRole::small).x + ui.px(14);
}

/// For a view of one head or block: names it, because the panels that name it may be closed.
void draw_part_shown(const Frame& frame, const Box& box, int slot) {
    const Ui& ui = frame.ui;
    const std::string whole = part_shown(frame, slot);
    if (whole.empty()) return;
    const HeadChoice head = head_of(frame.state, slot);
    const std::string brief =
        chosen_view(frame.state).of_head ? brief_head_name(head) : "b" + std::to_string(head.layer);
    const bool fits = draw::text_size(ui, whole, FontRole::small).x <= box.width();
    if (!fits && draw::text_size(ui, brief, FontRole::small).x > box.width()) return;
    draw::text_in(ui, box, fits ? whole : brief, {FontRole::small, ui.theme->attention_text});
    ui.items->add(ui.items->of_card(slot, "head shown"), box, std::nullopt, whole);
    if (!fits && draw::hovered(box)) draw::tooltip(ui, whole);
}

/// Returns the right end of the headline.
float headline(const Frame& frame, const Box& box, int slot) {
    const Ui& ui = frame.ui;
    const Theme& t = *ui.theme;
    const WatchedSentence& sentence = frame.sentence(slot);
    const Provenance of = provenance(frame, slot);
    std::string_view text = Frame::letter(slot);
    if (!frame.snapshot.comparing.of_sentences()) {
        for (const bool brief : {false, true}) {
            if (slot != 0 || (brief && draw::text_size(ui, text, FontRole::body_bold).x <= box.width())) break;
            text = ui.items->format("A · %s", of.side(brief).c_str());
        }
        if (const std::string_view same = tr("B · the sentence of A");
            slot == 1 && draw::text_size(ui, same, FontRole::body_bold).x <= box.width())
            text = same;
        if (of.unaltered) text = tr("B · unaltered");
    } else if (sentence.sense >= 0) {
        const std::string& sense = frame.model().senses[sentence.sense].name;
        text = ui.items->format("%s · %s", Frame::letter(slot), sense.c_str());
    }
    const ImU32 colour = slot == 0 ? t.sense_a_text : t.sense_b_text;
    draw::label(ui, box, text, {FontRole::body_bold, colour}, {ui.items->of_card(slot, "headline")});
    if (slot == 1 && !frame.snapshot.comparing.of_sentences() && draw::hovered(box))
        draw::tooltip(ui, filled(tr("The sentence of A\nIn another head, model or step. To get B's own sentence back "
                                    "(“{1}”), choose “two sentences”."),
                                 {frame.snapshot.text_of(1)}));
    else if (of.unaltered && draw::hovered(box))
        draw::tooltip(ui, tr("Unaltered\nYour changes are only in A's model. This is another model."));
    const float end = box.min.x + draw::text_size(ui, text, FontRole::body_bold).x + ui.px(22);
    if (frame.state.slot != slot || !frame.state.compare) return end;
    const float x = end - ui.px(12);
    const float y = box.middle_y();
    if (x + ui.px(4) > box.max.x) return end;
    ui.list()->AddCircleFilled({x, y}, 3.5f * ui.scale, t.selection);
    if (draw::hovered(box.left_of(x + ui.px(8))))
        draw::tooltip(
            ui, tr("The keyboard acts on this sentence\nTab: next token. ← →: head. ↑ ↓: block. A or B: switch."));
    return end;
}

/// Formats a text as one line of a menu: line breaks become visible signs.
std::string_view in_one_line(const Ui& ui, const std::string& text) {
    std::string line;
    for (const char c : text) line += c == '\n' ? "⏎" : std::string(1, c);
    return ui.items->format("%s", line.c_str());
}

void pick_sample(const Frame& frame, const Box& box, int slot) {
    const Ui& ui = frame.ui;
    const std::vector<Sample>& samples = frame.model().samples;
    std::vector<std::string_view> choices;
    int current = -1;
    for (const Sample& sample : samples) {
        if (sample.text == frame.sentence(slot).text) current = int_size(choices);
        choices.push_back(in_one_line(ui, sample.text));
    }
    const int chosen = dropdown(ui, ui.items->of_card(slot, "samples"), box, tr("Samples"), choices, current);
    if (chosen < 0) return;
    edit_of(frame, slot).open = false;
    watch_sentence(frame, slot, samples[chosen].text);
}

/// Returns true while a lesson is presented: it brings its own sentences, and the words need the buttons' room. False
/// if a step points at the buttons.
bool has_no_buttons(const Frame& frame, int slot) {
    if (!frame.state.presenter || frame.state.window.lessons.open < 0 || edit_of(frame, slot).open) return false;
    const LessonLights& lit = frame.state.window.lights;
    return !lit.hold(frame.ui.items->of_card(slot, "samples")) && !lit.hold(frame.ui.items->of_card(slot, "type"));
}

/// Draws the colour button, "Samples ▾" and "Type…" at the right; returns their left edge.
float head_buttons(const Frame& frame, const Box& box, int slot) {
    const Ui& ui = frame.ui;
    SentenceEdit& edit = edit_of(frame, slot);
    const float type = draw::text_size(ui, tr("Type…"), FontRole::body).x + ui.px(20);
    const float samples = draw::text_size(ui, tr("Samples"), FontRole::body).x + ui.px(37);
    const float middle = box.max.x - type - ui.px(6), left = middle - samples;
    ButtonStyle style{.selected = edit.open};
    const ModelInfo& model = frame.model();
    if (!edit.open)
        style.tooltip =
            model.translates()
                ? tr("Write your own sentence\nThe model translates it. Write → and a translation to give your own.")
            : model.config.input == InputKind::values
                ? tr("Write your own numbers\n“sample 3” is a prompt of the world. Separate rows with ;")
            : model.words() && !model.config.causal() ? tr("Write your own sentence\n_ masks a word.")
            : fills_masks(model)                      ? tr("Write your own sentence\n▢ masks a word.")
                                                      : tr("Write your own sentence");
    if (button(ui, ui.items->of_card(slot, "type"), box.right(type), tr("Type…"), style)) {
        edit.open = !edit.open;
        edit.take_focus = edit.open, edit.sent.reset();
        if (edit.open) edit.draft = frame.sentence(slot).text;
    }
    pick_sample(frame, box.between_x(left, middle), slot);
    constexpr float least_width = 345;  // of a card, pixels at 100 %: the name of the meaning has priority
    if (!frame.trace(slot) || frame.model(slot).config.output != OutputKind::words ||
        !frame.snapshot.comparing.of_sentences() || box.width() < ui.px(least_width))
        return left;
    return draw_colour_button(frame, box.left_of(left - ui.px(6)), slot);
}

/// For an audience, whose text is large: returns true if the words fit into the headline's line, which otherwise
/// contains only buttons.
bool words_fit_beside(const Frame& frame, int slot, float room) {
    const bool answers = frame.model().translates() || frame.model().config.output == OutputKind::classes;
    if (!frame.state.presenter || answers || edit_of(frame, slot).open || !frame.sentence(slot).error.empty())
        return false;
    return sentence_chips_fit(frame, slot, room);
}

float error_line(const Frame& frame, const Box& box, float y, int slot) {
    const std::string& error = frame.sentence(slot).error;
    if (error.empty()) return y;
    y += frame.ui.px(6);
    return y + draw::label_wrapped(frame.ui, {box.min.x, y}, box.width(), tr_full_sentence(error),
                                   {FontRole::small, frame.ui.theme->danger_text},
                                   {frame.ui.items->of_card(slot, "error")});
}

}  // namespace

float draw_sentence_picker(const Frame& frame, const Box& box, int slot, bool words) {
    const Ui& ui = frame.ui;
    if (own_sentence(frame, slot)) settle_typing(frame, slot);
    settle_hiding(frame, slot);
    const float head = box.min.y + ui.px(26);
    const Box right{{box.min.x + ui.px(24), box.min.y}, {box.max.x, head}};
    const bool own = own_sentence(frame, slot);
    const float buttons = !own                          ? draw_compare_controls(frame, right)
                          : has_no_buttons(frame, slot) ? box.max.x + ui.px(8)
                                                        : head_buttons(frame, right, slot);
    const Box line{box.min, {buttons - ui.px(8), head}};
    const Box rest = line.right_of(headline(frame, line, slot));
    Box below = box.below(head + ui.px(8));
    if (words && words_fit_beside(frame, slot, rest.width()))
        below = rest.above(box.max.y);  // the stage's line names the head
    else
        draw_part_shown(frame, rest.right_of(draw_said(frame, rest, slot)), slot);
    if (!own && edit_of(frame, slot).open) return draw_compare_folder(frame, below);
    if (edit_of(frame, slot).open) return error_line(frame, below, draw_typing_field(frame, below, slot), slot);
    if (!frame.trace(slot) && !frame.sentence(slot).error.empty()) return error_line(frame, below, below.min.y, slot);
    const Box chips = below.below(error_line(frame, below, below.min.y, slot));
    if (!words) return draw_unknown_words(frame, chips, chips.min.y, slot);
    const float bottom = draw_surprise_line(frame, chips, draw_sentence_chips(frame, chips, slot), slot);
    return draw_unknown_words(frame, chips, bottom, slot);
}

}  // namespace glassformer::app
