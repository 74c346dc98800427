#include "app/common/changed_words.h"

#include <algorithm>
#include <utility>

#include "app/session/masks.h"
#include "core/base/error.h"
#include "core/base/trimmed.h"
#include "core/text/special_tokens.h"
#include "core/worlds/world.h"

namespace glassformer::app {

namespace {

const HfTokenizer* published(const Frame& frame, int slot) {
    return dynamic_cast<const HfTokenizer*>(frame.model(slot).tokenizer.get());
}

std::optional<std::string> with_token(const HfTokenizer& tokenizer, const std::string& text, int position,
                                      const std::string& word, std::string& was) {
    try {
        std::optional<ReplacedToken> replaced =
            replace_token(tokenizer, with_own_masks(tokenizer, text), position, word);
        if (!replaced) return std::nullopt;
        was = replaced->was;
        return with_own_masks(tokenizer, replaced->text);
    } catch (const Error&) {  // the sentence still belongs to the previous model
        return std::nullopt;
    }
}

void ask_for(const Frame& frame, int slot, const std::string& text) {
    frame.state.slot = slot;
    frame.send(command::Watch{frame.snapshot.text_slot(slot), text});
}

Sentence words_of(const WatchedSentence& sentence) {
    Sentence words;
    for (const WordTokenizer::Token& token : sentence.tokens) words.words.push_back(token.text);
    return words;
}

}  // namespace

std::optional<std::string> sentence_with(const Frame& frame, int slot, int position, const std::string& word,
                                         std::string& was) {
    const WatchedSentence& sentence = frame.sentence(slot);
    if (const HfTokenizer* tokenizer = published(frame, slot))
        return with_token(*tokenizer, sentence.text, position, word, was);
    Sentence words = words_of(sentence);
    was = std::exchange(words.words[position], word);
    return text_of(words);
}

std::string word_in_text(const Frame& frame, int slot, int position) {
    const WatchedSentence& sentence = frame.sentence(slot);
    const WordTokenizer::Token& token = sentence.tokens[position];
    if (is_mask(frame.model(slot), token.id)) return "▢";
    const HfTokenizer* const tokenizer = published(frame, slot);
    if (!tokenizer) return token.text;
    try {
        const std::vector<TokenOfText> tokens = encode_with_masks(*tokenizer, sentence.text);
        const ByteRange at = position < int_size(tokens) ? tokens[position].source : ByteRange();
        return std::string(trimmed(std::string_view(sentence.text).substr(at.begin, at.end - at.begin), " \t\r\n"));
    } catch (const Error&) {  // the sentence still belongs to the previous model
        return {};
    }
}

bool can_change_words(const Frame& frame, int slot) {
    const ModelInfo& model = frame.model(slot);
    return frame.trace(slot) && !model.translates() && (model.words() || published(frame, slot)) &&
           (slot == 0 || frame.snapshot.comparing.of_sentences());
}

void change_word(const Frame& frame, int slot, int position, const std::string& word) {
    std::string was;
    if (const std::optional<std::string> text = sentence_with(frame, slot, position, word, was))
        ask_for(frame, slot, *text);
}

void swap_words(const Frame& frame, int slot, int a, int b) {
    if (const HfTokenizer* tokenizer = published(frame, slot)) {
        // Replace the later word first, so that the earlier one keeps its position.
        std::string first, second, none;
        const std::string& text = frame.sentence(slot).text;
        if (!with_token(*tokenizer, text, std::min(a, b), "", first)) return;
        const auto half = with_token(*tokenizer, text, std::max(a, b), first, second);
        if (!half) return;
        if (const auto both = with_token(*tokenizer, *half, std::min(a, b), second, none)) ask_for(frame, slot, *both);
        return;
    }
    Sentence words = words_of(frame.sentence(slot));
    std::swap(words.words[a], words.words[b]);
    ask_for(frame, slot, text_of(words));
}

}  // namespace glassformer::app
