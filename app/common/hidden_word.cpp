#include "app/common/hidden_word.h"

#include "core/worlds/world.h"

namespace glassformer::app {

namespace {

/// By card: the place that was asked to be hidden, until it is; −1: none.
struct HidingWords {
    std::array<int, 2> of{-1, -1};
};

}  // namespace

void hide_word(const Frame& frame, int slot, int position) {
    Sentence sentence;
    for (const WordTokenizer::Token& token : frame.sentence(slot).tokens) sentence.words.push_back(token.text);
    sentence.words[static_cast<std::size_t>(position)] = "▢";
    frame.own<HidingWords>().of[static_cast<std::size_t>(slot)] = position;
    frame.state.slot = slot;
    frame.send(command::Watch{frame.snapshot.text_slot(slot), text_of(sentence)});
}

void settle_hiding(const Frame& frame, int slot) {
    int& hiding = frame.own<HidingWords>().of[static_cast<std::size_t>(slot)];
    if (hiding < 0) return;
    const std::vector<WordTokenizer::Token>& tokens = frame.sentence(slot).tokens;
    const bool there = hiding < static_cast<int>(tokens.size());
    if (there && !frame.model(slot).is_mask(tokens[static_cast<std::size_t>(hiding)].id)) return;
    if (there) choose_token(frame.state, frame.snapshot, slot, hiding);
    hiding = -1;
}

}  // namespace glassformer::app
