#include "core/analysis/sense_sentences.h"

#include <algorithm>
#include <span>

#include "core/text/hf_tokenizer.h"
#include "core/text/words.h"

namespace glassformer {

namespace {

bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || static_cast<unsigned char>(c) > 127;
}

char small(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; }

std::string without_blanks(std::string text) {
    std::erase(text, ' ');
    std::ranges::transform(text, text.begin(), small);
    return text;
}

/// The tokens of a text, each with the bytes that it stands for; empty for any other tokenizer.
std::vector<TokenOfText> tokens_with_bytes(const Tokenizer& tokenizer, std::string_view text) {
    const auto* published = dynamic_cast<const HfTokenizer*>(&tokenizer);
    return published ? published->encode(text) : std::vector<TokenOfText>();
}

std::optional<TokenStretch> stretch_of(const Tokenizer& tokenizer, std::span<const TokenOfText> tokens,
                                       std::string_view text, ByteRange word) {
    TokenStretch found;
    std::vector<int> ids;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        const ByteRange at = tokens[i].source;
        if (tokens[i].added || at.begin >= word.end || at.end <= word.begin) continue;
        if (ids.empty()) found.first = static_cast<int>(i);
        ids.push_back(tokens[i].id);
    }
    found.count = static_cast<int>(ids.size());
    if (ids.empty()) return std::nullopt;
    const std::string spelled(text.substr(word.begin, word.end - word.begin));
    if (without_blanks(tokenizer.decode(ids)) != without_blanks(spelled)) return std::nullopt;
    return found;
}

}  // namespace

std::optional<TokenStretch> tokens_of_word(const Tokenizer& tokenizer, std::string_view text, ByteRange word) {
    return stretch_of(tokenizer, tokens_with_bytes(tokenizer, text), text, word);
}

std::optional<ByteRange> find_word(std::string_view text, std::string_view word) {
    for (std::size_t at = 0; at + word.size() <= text.size(); ++at) {
        const std::size_t end = at + word.size();
        const bool alone = (at == 0 || !is_letter(text[at - 1])) && (end == text.size() || !is_letter(text[end]));
        const auto same = [](char a, char b) { return small(a) == small(b); };
        if (alone && std::ranges::equal(text.substr(at, word.size()), word, same)) return ByteRange{at, end};
    }
    return std::nullopt;
}

std::vector<SenseSentence> sense_sentences(const World& world, Split split, std::size_t per_sense, std::uint64_t seed,
                                           const Tokenizer& tokenizer, int longest) {
    std::vector<SenseSentence> read;
    for (const Sentence& sentence : world.corpus(split, per_sense, seed)) {
        const std::size_t position = sentence.homonym_pos;
        const std::string text = text_of(sentence);
        const std::size_t end = join_words(std::span(sentence.words).first(position + 1)).size();
        const std::vector<TokenOfText> tokens = tokens_with_bytes(tokenizer, text);
        const auto homonym = stretch_of(tokenizer, tokens, text, {end - sentence.words[position].size(), end});
        if (!homonym || static_cast<int>(tokens.size()) > longest) continue;
        std::vector<int> ids;
        for (const TokenOfText& token : tokens) ids.push_back(token.id);
        read.push_back({text, std::move(ids), *homonym, sentence.sense});
    }
    return read;
}

}  // namespace glassformer
