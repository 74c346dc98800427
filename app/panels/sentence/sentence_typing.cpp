#include "app/common/sentence_edit.h"
#include "app/language/tr.h"
#include "app/panels/sentence/sentence_parts.h"
#include "app/ui/controls.h"
#include "app/ui/input.h"
#include "core/base/mark_text.h"
#include "core/base/trimmed.h"
#include "core/text/special_tokens.h"

namespace glassformer::app {

namespace {

void cancel(const Frame& frame, int slot) {
    SentenceEdit& edit = edit_of(frame, slot);
    edit.open = false;
    edit.sent.reset();
    edit.second.reset();
    if (!frame.sentence(slot).error.empty() && !edit.last_good.empty()) watch_sentence(frame, slot, edit.last_good);
}

/// A new sentence starts with its homonym chosen, like the first ones.
void choose_token_of_new_sentence(const Frame& frame, int slot, int token) {
    frame.state.token[slot] = token;
    if (frame.state.slot == slot) frame.state.follow_strongest = true;
}

std::string_view typing_hint(const ModelInfo& model) {
    if (model.config.input == InputKind::values) return tr("sample 3, or rows of numbers; then Enter");
    if (!model.tokenizer) return tr("Token IDs such as 5 17 3, then Enter");
    return model.translates() ? tr("Type a sentence (→ its translation), then Enter")
                              : tr("Type a sentence, then Enter");
}

/// Returns what Enter sends.
std::string typed(const Frame& frame, const SentenceEdit& edit) {
    const bool two = edit.second && !trimmed(*edit.second).empty();
    return two ? pair_of(frame.model().tokenizer.get(), edit.draft, *edit.second) : edit.draft;
}

/// Splits a pair of sentences that was just opened into its two fields.
void split_draft(const Frame& frame, SentenceEdit& edit) {
    if (!reads_two_sentences(frame.model())) return;
    const auto both = split_pair(edit.draft);
    if (!both) return;
    edit.draft = both->first;
    edit.second = edit.second ? pair_of(frame.model().tokenizer.get(), both->second, *edit.second) : both->second;
}

/// Draws, below the first field, the second one with × at its right, or the button that opens it. Returns the y below;
/// Enter sets `entered`.
float draw_second_field(const Frame& frame, const Box& box, int slot, bool& entered) {
    const Ui& ui = frame.ui;
    SentenceEdit& edit = edit_of(frame, slot);
    const char* letter = Frame::letter(slot);
    if (!edit.second) {
        ImVec2 at = box.min;
        if (chip(ui, ui.items->format("%s/second", letter), at, ui.px(26), tr("+ second sentence"),
                 {.tone = Tone::quiet, .tooltip = tr(second_sentence_hint)})) {
            edit.second.emplace();
            edit.focus_second = true;
        }
        return box.min.y + ui.px(26);
    }
    const float bottom = box.min.y + ui.px(30), square = ui.px(30);
    const float right = box.max.x - square - ui.px(4);
    if (edit.focus_second) ui.focus->enter_field();
    edit.focus_second = false;
    bool here = false;
    text_field(ui, ui.items->format("%s/text 2", letter), {box.min, {right, bottom}}, *edit.second,
               tr("The second sentence, then Enter"), &here, SelectAll::unless_clicked, OnEnter::stays);
    entered |= here;
    if (button(ui, ui.items->format("%s/one sentence", letter), {{box.max.x - square, box.min.y}, {box.max.x, bottom}},
               "×", {.tone = Tone::quiet, .tooltip = tr("Without a second sentence")})) {
        edit.second.reset();
        edit.take_focus = true;
    }
    return bottom;
}

}  // namespace

const char* const second_sentence_hint =
    N_("Add a second sentence\nThis model reads two at once: [SEP] separates them, and another learned vector is added "
       "to the tokens of the second.");

bool reads_two_sentences(const ModelInfo& model) {
    return model.tokenizer && model.config.d_token_types > 1 && model.config.sentence_end >= 0;
}

void type_second_sentence(const Frame& frame, int slot) {
    SentenceEdit& edit = edit_of(frame, slot);
    edit.open = edit.focus_second = true;
    edit.take_focus = false;
    edit.sent.reset();
    edit.draft = frame.sentence(slot).text;
    edit.second.emplace();
}

SentenceEdit& edit_of(const Frame& frame, int slot) { return frame.state.own<SentenceEdits>().of[slot]; }

void watch_sentence(const Frame& frame, int slot, const std::string& text) {
    frame.state.slot = slot;
    frame.send(command::Watch{frame.snapshot.text_slot(slot), text, true});
}

void settle_typing(const Frame& frame, int slot) {
    SentenceEdit& edit = edit_of(frame, slot);
    const WatchedSentence& sentence = frame.sentence(slot);
    if (sentence.trace && sentence.text != edit.last_good) {
        const bool first = edit.last_good.empty();
        edit.last_good = sentence.text;
        const int telling = sentence.homonym_pos >= 0 ? sentence.homonym_pos : sentence.first_token;
        if (!first && telling >= 0) choose_token_of_new_sentence(frame, slot, telling);
    }
    if (!edit.sent) return;
    const bool refused = (sentence.trace ? sentence.refused : sentence.text) == *edit.sent && !sentence.error.empty();
    if (!refused && (sentence.text != *edit.sent || !sentence.error.empty())) return;
    edit.open = refused || typed(frame, edit) != *edit.sent;  // the user typed on
    edit.sent.reset();
    if (!edit.open) edit.second.reset();
}

float draw_typing_field(const Frame& frame, const Box& box, int slot) {
    const Ui& ui = frame.ui;
    SentenceEdit& edit = edit_of(frame, slot);
    bool entered = false;
    if (edit.take_focus) {
        ui.focus->enter_field();
        split_draft(frame, edit);
    }
    edit.take_focus = false;
    float bottom = box.min.y + ui.px(30);
    text_field(ui, ui.items->of_card(slot, "text"), box.above(bottom), edit.draft, typing_hint(frame.model()), &entered,
               SelectAll::unless_clicked, OnEnter::stays);
    if (reads_two_sentences(frame.model()))
        bottom = draw_second_field(frame, box.below(bottom + ui.px(6)), slot, entered);
    if (entered) {
        edit.sent = typed(frame, edit);
        watch_sentence(frame, slot, *edit.sent);
    } else if (key_pressed(Key::escape)) {
        cancel(frame, slot);
    }
    return bottom;
}

}  // namespace glassformer::app
