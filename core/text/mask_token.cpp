#include "core/text/mask_token.h"

#include "core/text/word_tokenizer.h"

namespace glassformer {

std::optional<int> mask_id(const Tokenizer& tokenizer) {
    if (dynamic_cast<const WordTokenizer*>(&tokenizer)) return WordTokenizer::mask;
    const auto* published = dynamic_cast<const PublishedTokenizer*>(&tokenizer);
    return published ? published->mask_id() : std::nullopt;
}

std::string with_own_masks(const PublishedTokenizer& tokenizer, std::string_view text) {
    constexpr std::string_view hidden = "▢";
    std::string own(text);
    if (!tokenizer.mask_id()) return own;
    const std::string& mask = tokenizer.piece(*tokenizer.mask_id());
    for (std::size_t at = own.find(hidden); at != std::string::npos; at = own.find(hidden, at + mask.size()))
        own.replace(at, hidden.size(), mask);
    return own;
}

namespace {

/// The text with something else from a byte to another one; blanks around stay. Nothing where there are only blanks.
std::optional<ReplacedToken> replace(std::string_view text, std::size_t begin, std::size_t end, std::string_view with) {
    constexpr std::string_view blanks = " \t\r\n";
    while (begin < end && blanks.find(text[begin]) != std::string_view::npos) ++begin;
    while (end > begin && blanks.find(text[end - 1]) != std::string_view::npos) --end;
    if (begin == end) return std::nullopt;
    ReplacedToken replaced{std::string(text), std::string(text.substr(begin, end - begin))};
    replaced.text.replace(begin, end - begin, with);
    return replaced;
}

/// Whether the tokens before `first` and behind `last` are still there.
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

}  // namespace

std::optional<ReplacedToken> replace_token(const PublishedTokenizer& tokenizer, std::string_view text, int position,
                                           std::string_view with) {
    const std::vector<TokenOfText> tokens = tokenizer.encode(text);
    if (position < 0 || position >= static_cast<int>(tokens.size())) return std::nullopt;
    const TokenOfText& token = tokens[static_cast<std::size_t>(position)];
    if (token.added) return std::nullopt;
    const auto at = static_cast<std::size_t>(position);
    // The pieces behind it may be cut anew without it: "sw" + "ung" without "sw" is no "ung". Then they go with it.
    for (std::size_t last = at; last < tokens.size(); ++last) {
        if (last > at && tokens[last].source.begin != tokens[last - 1].source.end) break;
        const std::optional<ReplacedToken> replaced = replace(text, token.source.begin, tokens[last].source.end, with);
        if (!replaced) return std::nullopt;
        if (keeps_others(tokenizer.ids(replaced->text), tokens, at, last)) return replaced;
    }
    return replace(text, token.source.begin, token.source.end, with);
}

}  // namespace glassformer
