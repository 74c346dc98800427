
#include <algorithm>

#include "app/language/tr.h"
#include "app/panels/sentence/sentence_parts.h"
#include "core/base/join.h"
#include "core/text/character_tokenizer.h"
#include "core/worlds/world.h"

namespace glassformer::app {

namespace {

constexpr int notes_shown = 3;
constexpr std::size_t offers = 3, characters_shown = 8;

/// The words that the user typed. In a translation these are the source's: what the model wrote itself is no spelling
/// mistake.
struct TypedWords {
    const std::vector<WordTokenizer::Token>& tokens;
    const WordTokenizer* known;  // null: the model has no word list
    const char* item;            // prefix of "unknown" and "offer"

    TypedWords(const Frame& frame, int slot, const WatchedSentence& sentence)
        : tokens(frame.model(slot).translates() ? sentence.source : sentence.tokens),
          known(frame.model(slot).translates() ? frame.model(slot).source_words() : frame.model(slot).words()),
          item(frame.model(slot).translates() ? "source " : "") {}

    bool is_unknown(std::size_t i) const { return known && tokens[i].id == WordTokenizer::unknown; }
};

/// Replaces a word of the sentence; the user's own translation stays.
void replace_word(const Frame& frame, int slot, const TypedWords& typed, int position, const std::string& word) {
    Sentence sentence;
    for (const WordTokenizer::Token& token : typed.tokens) sentence.words.push_back(token.text);
    sentence.words[position] = word;
    const std::string& before = frame.sentence(slot).text;
    const std::size_t arrow = std::min(before.find("→"), before.find("->"));
    const bool given = frame.model(slot).translates() && arrow != std::string::npos;
    watch_sentence(frame, slot, text_of(sentence) + (given ? " " + before.substr(arrow) : std::string()));
}

void offer_chips(const Frame& frame, const Box& box, ImVec2& at, float height, int slot, const TypedWords& typed,
                 int position, const std::vector<std::string>& offered) {
    const Ui& ui = frame.ui;
    const ButtonStyle style{.tone = Tone::attention, .font = FontRole::small};
    for (const std::string& offer : offered) {
        if (at.x > box.min.x && at.x + chip_width(ui, offer, style) > box.max.x)
            at = {box.min.x, at.y + height + ui.px(3)};
        const std::string_view label = ui.items->of_card(slot, "%soffer %d %s", typed.item, position, offer.c_str());
        if (chip(ui, label, at, height, offer, style, 4)) replace_word(frame, slot, typed, position, offer);
    }
}

/// Says which word is unknown, and offers the known words with the most similar spelling. Only the first note is
/// detailed.
float unknown_note(const Frame& frame, const Box& box, float y, int slot, const TypedWords& typed, int position,
                   bool first) {
    const Ui& ui = frame.ui;
    const bool translates = frame.model(slot).translates();
    const std::string word = translates ? frame.source_word(slot, position) : frame.word(slot, position);
    const int known = typed.known->size() - 3;  // without the special tokens
    const std::vector<std::string> offered = typed.known->nearest(typed.tokens[position].text, offers);
    std::string_view text = first ? ui.items->format(tr("“%s” is not in this model's vocabulary (%d word).",
                                                        "“%s” is not in this model's vocabulary (%d words).", known),
                                                     word.c_str(), known)
                                  : ui.items->format(tr("“%s” is not in it either."), word.c_str());
    if (!offered.empty()) text = ui.items->format(tr("%s Similar words:"), std::string(text).c_str());
    const draw::TextStyle style{FontRole::small, ui.theme->danger_text};
    const float height = ui.px(21), width = draw::text_size(ui, text, FontRole::small).x;
    y += ui.px(4);
    ImVec2 at{box.min.x + width + ui.px(8), y};
    if (width <= box.width())
        draw::text_in(ui, box.between_y(y, y + height), text, style);
    else
        at = {box.min.x, y + draw::text_wrapped(ui, {box.min.x, y}, box.width(), text, style)};
    ui.items->add(ui.items->of_card(slot, "%sunknown %d", typed.item, position),
                  {{box.min.x, y}, {std::min(box.min.x + width, box.max.x), y + height}}, std::nullopt, text);
    offer_chips(frame, box, at, height, slot, typed, position, offered);
    return at.y + height;
}

/// Names the characters that the model does not know, each once.
float unknown_characters(const Frame& frame, const Box& box, float y, int slot, int known) {
    const Ui& ui = frame.ui;
    std::vector<std::string> told;
    for (const WordTokenizer::Token& token : frame.sentence(slot).tokens)
        if (token.id == CharacterTokenizer::unknown && std::ranges::find(told, token.text) == told.end())
            told.push_back(token.text);
    if (told.empty()) return y;
    std::string list = join(std::span(told).first(std::min(told.size(), characters_shown)), " ", in_quotation_marks);
    if (told.size() > characters_shown) list += " …";
    const std::string_view text = ui.items->format(
        tr("Not among the %d characters that this model knows: %s. It reads each as <unk>."), known, list.c_str());
    y += ui.px(4);
    const ImVec2 at{box.min.x, y};
    const draw::TextItem item{ui.items->of_card(slot, "unknown characters"), item_state(told.size())};
    return y + draw::label_wrapped(ui, at, box.width(), text, {FontRole::small, ui.theme->danger_text}, item);
}

/// Says which special tokens the model reads twice, because the tokenizer adds those that the user typed as well.
float doubled_tokens(const Frame& frame, const Box& box, float y, int slot) {
    const Ui& ui = frame.ui;
    const std::vector<std::string>& doubled = frame.sentence(slot).doubled;
    for (std::size_t i = 0; i < doubled.size(); ++i) {
        const std::string text = filled(
            tr("The tokenizer adds {1} itself, so with the one you typed the model reads it twice."), {doubled[i]});
        y += ui.px(4);
        const ImVec2 at{box.min.x, y};
        y += draw::label_wrapped(ui, at, box.width(), text, {FontRole::small, ui.theme->danger_text},
                                 {ui.items->of_card(slot, "doubled %zu", i)});
    }
    return y;
}

}  // namespace

float draw_unknown_words(const Frame& frame, const Box& box, float y, int slot) {
    y = doubled_tokens(frame, box, y, slot);
    if (const auto* characters = dynamic_cast<const CharacterTokenizer*>(frame.model(slot).tokenizer.get()))
        return unknown_characters(frame, box, y, slot, characters->size() - 2);  // without the special tokens
    const TypedWords typed(frame, slot, frame.sentence(slot));
    int unknown = 0;
    for (std::size_t i = 0; i < typed.tokens.size(); ++i) {
        if (!typed.is_unknown(i) || unknown++ >= notes_shown) continue;
        y = unknown_note(frame, box, y, slot, typed, static_cast<int>(i), unknown == 1);
    }
    const int more = unknown - notes_shown;
    if (more <= 0) return y;
    y += frame.ui.px(4);
    draw::text(frame.ui, {box.min.x, y},
               frame.ui.items->format(tr("and %d more unknown word", "and %d more unknown words", more), more),
               {FontRole::small, frame.ui.theme->danger_text});
    return y + frame.ui.line(FontRole::small);
}

}  // namespace glassformer::app
