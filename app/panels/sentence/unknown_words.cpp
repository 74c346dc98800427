#include "app/panels/sentence/unknown_words.h"

#include <algorithm>

#include "app/panels/sentence/sentence_chips.h"
#include "app/panels/sentence/sentence_typing.h"
#include "core/worlds/world.h"

namespace glassformer::app {

namespace {

constexpr int notes_shown = 3;

void replace_word(const Frame& frame, int slot, int position, const std::string& word) {
    std::vector<std::string> words;
    for (const WordTokenizer::Token& token : frame.sentence(slot).tokens) words.push_back(token.text);
    words[static_cast<std::size_t>(position)] = word;
    Sentence sentence;
    sentence.words = std::move(words);
    watch_sentence(frame, slot, text_of(sentence));
}

void offer_chips(const Frame& frame, const Box& box, ImVec2& at, float height, int slot, int position) {
    const Ui& ui = frame.ui;
    ButtonStyle style;
    style.tone = Tone::attention, style.font = FontRole::small;
    for (const std::string& offer : frame.sentence(slot).nearest_known[static_cast<std::size_t>(position)]) {
        if (at.x > box.min.x && at.x + chip_width(ui, offer, style) > box.max.x)
            at = {box.min.x, at.y + height + ui.px(3)};
        const std::string_view label = ui.items->format("%s/offer %d %s", Frame::letter(slot), position, offer.c_str());
        if (chip(ui, label, at, height, offer, style, 4)) replace_word(frame, slot, position, offer);
    }
}

/// Says which word is unknown, and offers the known ones that are spelt most like it. Only the first is told at length.
float unknown_note(const Frame& frame, const Box& box, float y, int slot, int position, bool first) {
    const Ui& ui = frame.ui;
    const std::string word = frame.word(slot, position);
    const int known = frame.model().tokenizer->size() - 3;  // without the special tokens
    const std::string_view text =
        first
            ? ui.items->format("‘%s’ is not in this model's vocabulary (%d words); spelt like it:", word.c_str(), known)
            : ui.items->format("‘%s’ is not in it either; spelt like it:", word.c_str());
    const draw::TextStyle style{FontRole::small, ui.theme->danger_text};
    const float height = ui.px(21), width = draw::text_size(ui, text, FontRole::small).x;
    y += ui.px(4);
    ImVec2 at{box.min.x + width + ui.px(8), y};
    if (width <= box.width())
        draw::text_in(ui, {box.min.x, y}, {box.max.x, y + height}, text, style);
    else
        at = {box.min.x, y + draw::text_wrapped(ui, {box.min.x, y}, box.width(), text, style)};
    ui.items->add(ui.items->format("%s/unknown %d", Frame::letter(slot), position), {box.min.x, y},
                  {std::min(box.min.x + width, box.max.x), y + height}, std::nullopt, text);
    offer_chips(frame, box, at, height, slot, position);
    return at.y + height;
}

}  // namespace

float draw_unknown_words(const Frame& frame, const Box& box, float y, int slot) {
    const int count = static_cast<int>(frame.sentence(slot).tokens.size());
    int unknown = 0;
    for (int i = 0; i < count; ++i) {
        if (!is_unknown(frame, slot, i) || unknown++ >= notes_shown) continue;
        y = unknown_note(frame, box, y, slot, i, unknown == 1);
    }
    const int more = unknown - notes_shown;
    if (more <= 0) return y;
    y += frame.ui.px(4);
    draw::text(frame.ui, {box.min.x, y},
               frame.ui.items->format(more == 1 ? "and %d more unknown word" : "and %d more unknown words", more),
               {FontRole::small, frame.ui.theme->danger_text});
    return y + frame.ui.line(FontRole::small);
}

}  // namespace glassformer::app
