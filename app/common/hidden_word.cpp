#include "app/common/hidden_word.h"

#include <map>

#include "app/common/changed_words.h"
#include "app/session/masks.h"

namespace glassformer::app {

namespace {

/// One card's hidden words.
struct HiddenWords {
    int asked = -1;                    // the position to hide, until the worker has done so; −1: none
    std::string text;                  // the sentence with hidden words, as last requested
    std::map<int, std::string> words;  // by position
};

struct HidingWords {
    std::array<HiddenWords, 2> of;
    void on_model_changed() { of = {}; }
};

HiddenWords& hidden_in(const Frame& frame, int slot) { return frame.own<HidingWords>().of[slot]; }

void watch(const Frame& frame, int slot, const std::string& text) {
    hidden_in(frame, slot).text = text;
    frame.state.slot = slot;
    frame.send(command::Watch{frame.snapshot.text_slot(slot), text});
}

}  // namespace

bool is_hidden(const Frame& frame, int slot, int position) {
    const std::vector<WordTokenizer::Token>& tokens = frame.sentence(slot).tokens;
    return position >= 0 && position < static_cast<int>(tokens.size()) &&
           is_mask(frame.model(slot), tokens[position].id);
}

bool can_hide_word(const Frame& frame, int slot, int position) {
    if (!fills_masks(frame.model(slot)) || !frame.trace(slot) || is_hidden(frame, slot, position)) return false;
    std::string was;
    return position >= 0 && position < static_cast<int>(frame.sentence(slot).tokens.size()) &&
           sentence_with(frame, slot, position, "▢", was).has_value();
}

void hide_word(const Frame& frame, int slot, int position) {
    std::string was;
    const std::optional<std::string> text = sentence_with(frame, slot, position, "▢", was);
    if (!text) return;
    HiddenWords& hidden = hidden_in(frame, slot);
    if (hidden.text != frame.sentence(slot).text) hidden.words.clear();
    hidden.words[position] = was;
    hidden.asked = position;
    watch(frame, slot, *text);
}

bool can_show_word(const Frame& frame, int slot, int position) {
    const HiddenWords& hidden = hidden_in(frame, slot);
    return is_hidden(frame, slot, position) && hidden.text == frame.sentence(slot).text &&
           hidden.words.contains(position);
}

void show_word(const Frame& frame, int slot, int position) {
    if (!can_show_word(frame, slot, position)) return;
    std::string was;
    HiddenWords& hidden = hidden_in(frame, slot);
    const std::optional<std::string> text = sentence_with(frame, slot, position, hidden.words[position], was);
    if (!text) return;
    hidden.words.erase(position);
    watch(frame, slot, *text);
}

void settle_hiding(const Frame& frame, int slot) {
    int& asked = hidden_in(frame, slot).asked;
    if (asked < 0) return;
    const bool there = asked < static_cast<int>(frame.sentence(slot).tokens.size());
    if (there && !is_hidden(frame, slot, asked)) return;
    if (there) choose_token(frame.state, frame.snapshot, slot, asked);
    asked = -1;
}

}  // namespace glassformer::app
