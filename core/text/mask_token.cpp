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

std::optional<ReplacedToken> replace_token(const PublishedTokenizer& tokenizer, std::string_view text, int position,
                                           std::string_view with) {
    const std::vector<TokenOfText> tokens = tokenizer.encode(text);
    if (position < 0 || position >= static_cast<int>(tokens.size())) return std::nullopt;
    const TokenOfText& token = tokens[static_cast<std::size_t>(position)];
    constexpr std::string_view blanks = " \t\r\n";
    std::size_t begin = token.source.begin, end = token.source.end;
    while (begin < end && blanks.find(text[begin]) != std::string_view::npos) ++begin;
    while (end > begin && blanks.find(text[end - 1]) != std::string_view::npos) --end;
    if (token.added || begin == end) return std::nullopt;
    ReplacedToken replaced{std::string(text), std::string(text.substr(begin, end - begin))};
    replaced.text.replace(begin, end - begin, with);
    return replaced;
}

}  // namespace glassformer
