#include "app/panels/sentence/sentence_typing.h"

#include "app/common/sentence_edit.h"
#include "app/language/tr.h"
#include "app/ui/input.h"

namespace glassformer::app {

namespace {

void cancel(const Frame& frame, int slot) {
    SentenceEdit& edit = edit_of(frame, slot);
    edit.open = edit.sent = false;
    if (!frame.sentence(slot).error.empty() && !edit.last_good.empty()) watch_sentence(frame, slot, edit.last_good);
}

/// A new sentence is looked at from its homonym, as the first ones are.
void choose_token_of_new_sentence(const Frame& frame, int slot, int token) {
    frame.state.token[static_cast<std::size_t>(slot)] = token;
    if (frame.state.slot == slot) frame.state.follow_strongest = true;
}

std::string_view typing_hint(const ModelInfo& model) {
    if (model.config.input == InputKind::values) return tr("sample 3, or rows of numbers; then Enter");
    if (!model.tokenizer) return tr("Token ids such as 5 17 3, then Enter");
    return model.translates() ? tr("Type a sentence (→ its translation), then Enter")
                              : tr("Type a sentence, then Enter");
}

}  // namespace

SentenceEdit& edit_of(const Frame& frame, int slot) {
    return frame.state.own<SentenceEdits>().of[static_cast<std::size_t>(slot)];
}

void watch_sentence(const Frame& frame, int slot, const std::string& text) {
    frame.state.slot = slot;
    frame.send(command::Watch{frame.snapshot.text_slot(slot), text});
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
    if (!edit.sent || sentence.text != edit.draft) return;
    edit.sent = false;
    edit.open = edit.take_focus = !sentence.error.empty();
}

float draw_typing_field(const Frame& frame, const Box& box, int slot) {
    const Ui& ui = frame.ui;
    SentenceEdit& edit = edit_of(frame, slot);
    bool entered = false;
    if (edit.take_focus) ui.focus->enter_field();
    edit.take_focus = false;
    const float bottom = box.min.y + ui.px(30);
    text_field(ui, ui.items->format("%s/text", Frame::letter(slot)), box.min, {box.max.x, bottom}, edit.draft,
               typing_hint(frame.model()), &entered);
    if (entered) {
        edit.sent = true;
        watch_sentence(frame, slot, edit.draft);
    } else if (key_pressed(Key::escape)) {
        cancel(frame, slot);
    }
    return bottom;
}

}  // namespace glassformer::app
