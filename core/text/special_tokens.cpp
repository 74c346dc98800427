#include "core/text/special_tokens.h"

#include "core/base/error.h"
#include "core/base/trimmed.h"
#include "core/text/character_tokenizer.h"
#include "core/text/word_tokenizer.h"

namespace glassformer {

std::optional<int> mask_id(const Tokenizer& tokenizer) {
    if (dynamic_cast<const WordTokenizer*>(&tokenizer)) return WordTokenizer::mask;
    const auto* published = dynamic_cast<const HfTokenizer*>(&tokenizer);
    return published ? published->mask_id() : std::nullopt;
}

namespace {

constexpr std::string_view hidden = "▢";

/// The tokens of a text itself.
std::vector<int> own_ids(const Tokenizer& tokenizer, std::string_view text) {
    const auto* published = dynamic_cast<const HfTokenizer*>(&tokenizer);
    if (!published) return tokenizer.ids(text);
    std::vector<int> ids;
    for (const TokenOfText& token : encode_with_masks(*published, text))
        if (!token.added) ids.push_back(token.id);
    return ids;
}

/// True if the tokenizer reads the text as unknown, unless it is the unknown token's own name.
bool reads_as_unknown(const Tokenizer& tokenizer, int id, std::string_view text) {
    if (dynamic_cast<const WordTokenizer*>(&tokenizer)) return id == WordTokenizer::unknown;
    if (dynamic_cast<const CharacterTokenizer*>(&tokenizer)) return id == CharacterTokenizer::unknown;
    const auto* published = dynamic_cast<const HfTokenizer*>(&tokenizer);
    return published && published->unknown_id() == id && published->piece(id) != trimmed(text);
}

/// Replaces the bytes from `begin` to `end`, except blanks at either end. None if there are only blanks.
std::optional<ReplacedToken> replace(std::string_view text, std::size_t begin, std::size_t end, std::string_view with) {
    constexpr std::string_view blanks = " \t\r\n";
    while (begin < end && blanks.find(text[begin]) != std::string_view::npos) ++begin;
    while (end > begin && blanks.find(text[end - 1]) != std::string_view::npos) --end;
    if (begin == end) return std::nullopt;
    ReplacedToken replaced{std::string(text), std::string(text.substr(begin, end - begin))};
    replaced.text.replace(begin, end - begin, with);
    return replaced;
}

/// True if the tokens before `first` and after `last` are unchanged.
bool keeps_others(const std::vector<int>& ids, const std::vector<TokenOfText>& tokens, std::size_t first,
                  std::size_t last) {
    const std::size_t behind = tokens.size() - last - 1;
    if (ids.size() < first + behind) return false;
    for (std::size_t i = 0; i < first; ++i)
        if (ids[i] != tokens[i].id) return false;
    for (std::size_t i = 1; i <= behind; ++i)
        if (ids[ids.size() - i] != tokens[tokens.size() - i].id) return false;
    return true;
}

constexpr std::string_view between_sentences = "[SEP]";

}  // namespace

std::string with_own_masks(const HfTokenizer& tokenizer, std::string_view text) {
    std::string own(text);
    if (!tokenizer.mask_id()) return own;
    const std::string& mask = tokenizer.piece(*tokenizer.mask_id());
    for (std::size_t at = own.find(hidden); at != std::string::npos; at = own.find(hidden, at + mask.size()))
        own.replace(at, hidden.size(), mask);
    return own;
}

std::vector<TokenOfText> encode_with_masks(const HfTokenizer& tokenizer, std::string_view text) {
    std::vector<TokenOfText> tokens = tokenizer.encode(with_own_masks(tokenizer, text));
    if (!tokenizer.mask_id()) return tokens;
    const std::size_t mask = tokenizer.piece(*tokenizer.mask_id()).size();
    // Maps a byte offset from the text with its masks written out back to the given text; inside a mask, to its begin
    // or end.
    const auto given = [&](std::size_t own, bool end) {
        std::size_t at = 0, shift = 0;
        for (std::size_t found = text.find(hidden); found != std::string_view::npos;
             found = text.find(hidden, found + hidden.size())) {
            at = found + shift;
            if (own <= at) break;
            if (own < at + mask) return end ? found + hidden.size() : found;
            shift = at + mask - (found + hidden.size());
        }
        return own - shift;
    };
    for (TokenOfText& token : tokens) token.source = {given(token.source.begin, false), given(token.source.end, true)};
    return tokens;
}

std::vector<int> ids_with_masks(const Tokenizer& tokenizer, std::string_view text) {
    const auto* published = dynamic_cast<const HfTokenizer*>(&tokenizer);
    return tokenizer.ids(published ? with_own_masks(*published, text) : std::string(text));
}

std::optional<int> only_token(const Tokenizer& tokenizer, std::string_view text) {
    if (const auto* words = dynamic_cast<const WordTokenizer*>(&tokenizer))
        if (const std::optional<int> named = words->find(text)) return named;  // "<eos>" as well
    try {
        const std::vector<int> ids = own_ids(tokenizer, text);
        if (ids.size() == 1 && !reads_as_unknown(tokenizer, ids[0], text)) return ids[0];
    } catch (const Error&) {  // it has no token
    }
    return std::nullopt;
}

std::optional<ReplacedToken> replace_token(const HfTokenizer& tokenizer, std::string_view text, int position,
                                           std::string_view with) {
    const std::vector<TokenOfText> tokens = tokenizer.encode(text);
    if (position < 0 || position >= static_cast<int>(tokens.size())) return std::nullopt;
    const TokenOfText& token = tokens[position];
    if (token.added) return std::nullopt;
    const std::size_t at = position;
    // The following pieces may be cut differently without it: without "sw", "sw" + "ung" has no "ung". Then they are
    // replaced too.
    for (std::size_t last = at; last < tokens.size(); ++last) {
        if (last > at && tokens[last].source.begin != tokens[last - 1].source.end) break;
        const std::optional<ReplacedToken> replaced = replace(text, token.source.begin, tokens[last].source.end, with);
        if (!replaced) return std::nullopt;
        if (keeps_others(tokenizer.ids(replaced->text), tokens, at, last)) return replaced;
    }
    return replace(text, token.source.begin, token.source.end, with);
}

std::optional<int> sentence_end_id(const Tokenizer& tokenizer) {
    const auto* published = dynamic_cast<const HfTokenizer*>(&tokenizer);
    for (int id = 0; published && id < published->size(); ++id)
        if (published->piece(id) == between_sentences) return id;
    return std::nullopt;
}

std::string pair_of(const Tokenizer* tokenizer, std::string_view first, std::string_view second) {
    if (tokenizer && sentence_end_id(*tokenizer))
        return std::string(first) + " " + std::string(between_sentences) + " " + std::string(second);
    // RoBERTa's are "</s></s>", without a blank, which would become part of the next word. A generative model has such
    // tokens too but reads no pairs; it has no mask.
    const auto* published = dynamic_cast<const HfTokenizer*>(tokenizer);
    const std::string between = published && published->mask_id() ? published->between_sentences() : std::string();
    if (between.empty())
        throw Error("this model reads one sentence: its tokenizer has no [SEP] or </s></s> to separate two");
    return std::string(first) + between + std::string(second);
}

std::optional<std::pair<std::string, std::string>> split_pair(std::string_view text) {
    const std::size_t at = text.find(between_sentences);
    if (at == std::string_view::npos) return std::nullopt;
    return std::pair<std::string, std::string>(trimmed(text.substr(0, at)),
                                               trimmed(text.substr(at + between_sentences.size())));
}

}  // namespace glassformer
