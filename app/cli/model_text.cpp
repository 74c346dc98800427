#include "app/cli/model_text.h"

#include <algorithm>

#include "app/assets/open_model.h"
#include "app/cli/cli.h"
#include "core/base/error.h"
#include "core/base/join.h"
#include "core/base/mark_text.h"
#include "core/base/trimmed.h"
#include "core/tasks/world_kind.h"
#include "core/text/character_tokenizer.h"
#include "core/text/hf_tokenizer.h"
#include "core/text/special_tokens.h"
#include "core/text/utf8.h"

namespace glassformer::app {

namespace {

/// Reports each unknown word once.
void tell_unknown(const WordTokenizer& tokenizer, const std::vector<WordTokenizer::Token>& tokens) {
    std::vector<std::string> told;
    for (const WordTokenizer::Token& token : tokens) {
        if (token.id != WordTokenizer::unknown || std::ranges::find(told, token.text) != told.end()) continue;
        const std::string near = join(tokenizer.nearest(token.text, 3), ", ");
        tell(filled_with(
            near.empty()
                ? N_("\"{1}\" is not in the vocabulary and becomes <unk>")
                : N_("\"{1}\" is not in the vocabulary and becomes <unk>; known words with a similar spelling: {2}"),
            token.text, near));
        told.push_back(token.text);
    }
}

/// Reports each unknown character once.
void tell_unknown(const CharacterTokenizer& tokenizer, const std::string& text) {
    std::u32string told;
    for (const char32_t point : code_points(text)) {
        const std::string character = to_utf8({&point, 1});
        if (told.find(point) != std::u32string::npos || tokenizer.ids(character).front() != CharacterTokenizer::unknown)
            continue;
        told += point;
        tell(filled_with(N_("\"{1}\" is not among the characters that the model knows and becomes <unk>"), character));
    }
}

/// Reports each unknown word once.
void tell_unknown(const HfTokenizer& tokenizer, std::string_view text) {
    std::vector<std::string> told;
    for (const TokenOfText& token : encode_with_masks(tokenizer, text)) {
        if (token.added || token.id != tokenizer.unknown_id()) continue;
        const std::string word(trimmed(text.substr(token.source.begin, token.source.end - token.source.begin)));
        const std::string& piece = tokenizer.piece(token.id);
        if (word == piece || std::ranges::find(told, word) != told.end()) continue;  // "[UNK]" itself may be typed
        tell(filled_with(N_("\"{1}\" is not in the vocabulary and becomes {2}"), word, piece));
        told.push_back(word);
    }
}

}  // namespace

void tell_doubled(const Tokenizer& tokenizer, std::string_view text) {
    const auto* published = dynamic_cast<const HfTokenizer*>(&tokenizer);
    if (!published) return;
    for (const std::string& piece : published->doubled(text))
        tell(filled_with(
            N_("warning: the tokenizer adds {1} itself, and the text has it too: the model reads {1} twice"), piece));
}

std::vector<int> ids_of(const std::shared_ptr<const Tokenizer>& tokenizer, const std::string& text,
                        const std::string& folder, const char* instead) {
    if (!tokenizer)
        throw Error("{1} has no tokenizer, so it cannot read text; give token IDs with {2}", folder, instead);
    const auto* words = dynamic_cast<const WordTokenizer*>(tokenizer.get());
    if (const auto* characters = dynamic_cast<const CharacterTokenizer*>(tokenizer.get()))
        tell_unknown(*characters, text);
    if (const auto* published = dynamic_cast<const HfTokenizer*>(tokenizer.get())) tell_unknown(*published, text);
    if (!words) {
        tell_doubled(*tokenizer, text);
        return ids_with_masks(*tokenizer, text);
    }
    std::vector<int> ids;
    const std::vector<WordTokenizer::Token> tokens = words->encode(text);
    tell_unknown(*words, tokens);
    for (const WordTokenizer::Token& token : tokens) ids.push_back(token.id);
    return ids;
}

std::optional<std::string> with_pair(const std::string& model, const std::optional<std::string>& text,
                                     const std::optional<std::string>& pair) {
    if (!pair) return text;
    const Checkpoint opened = open_model(model.empty() ? std::string(homonyms_world.name) : model);
    return pair_of(opened.tokenizer.get(), text.value_or(""), *pair);
}

std::string text_of(const std::shared_ptr<const Tokenizer>& tokenizer, const std::vector<int>& tokens) {
    if (tokenizer && std::ranges::all_of(tokens, [&](int id) { return id >= 0 && id < tokenizer->size(); }))
        if (std::string text = tokenizer->decode(tokens); is_valid_utf8(text)) return text;
    return join(tokens, ",", [](int id) { return std::to_string(id); });
}

}  // namespace glassformer::app
