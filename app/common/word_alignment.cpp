#include "app/common/word_alignment.h"

#include <algorithm>
#include <utility>

#include "core/base/error.h"
#include "core/text/hf_tokenizer.h"
#include "core/text/special_tokens.h"
#include "core/text/utf8.h"
#include "core/text/words.h"

namespace glassformer::app {

namespace {

using Words = std::span<const std::string>;

/// Aligns the words from `first` on; `aligned` gets positions in the whole sentences.
void align(Words a, Words b, AlignedWord first, std::vector<AlignedWord>& aligned) {
    // common[i][j]: the most words that a[i…] and b[j…] have in common.
    const std::size_t width = b.size() + 1;
    std::vector<int> common((a.size() + 1) * width, 0);
    for (std::size_t i = a.size(); i-- > 0;)
        for (std::size_t j = b.size(); j-- > 0;)
            common[i * width + j] = a[i] == b[j] ? common[(i + 1) * width + j + 1] + 1
                                                 : std::max(common[(i + 1) * width + j], common[i * width + j + 1]);
    const auto in_a = [&](std::size_t at) { return first.a + static_cast<int>(at); };
    const auto in_b = [&](std::size_t at) { return first.b + static_cast<int>(at); };
    std::size_t i = 0, j = 0;
    while (i < a.size() || j < b.size()) {
        const bool left_a = i < a.size(), left_b = j < b.size();
        if (left_a && left_b && a[i] == b[j])
            aligned.push_back({in_a(i++), in_b(j++)});
        else if (left_a && (!left_b || common[(i + 1) * width + j] >= common[i * width + j + 1]))
            aligned.push_back({in_a(i++), -1});
        else
            aligned.push_back({-1, in_b(j++)});
    }
}

std::vector<std::string> words_of(std::span<const WordTokenizer::Token> tokens) {
    std::vector<std::string> words;
    for (const WordTokenizer::Token& token : tokens) words.push_back(token.text);
    return words;
}

/// The bytes of a text that the tokens of a published tokenizer stand for, without blanks at the ends.
std::vector<ByteRange> stretches_of(const HfTokenizer& tokenizer, const std::string& text) {
    std::vector<ByteRange> stretches;
    for (const TokenOfText& token : encode_with_masks(tokenizer, text)) {
        ByteRange at = token.added ? ByteRange() : token.source;
        while (at.begin < at.end && text[at.begin] == ' ') ++at.begin;
        while (at.begin < at.end && text[at.end - 1] == ' ') --at.end;
        stretches.push_back(at);
    }
    return stretches;
}

/// The same for another tokenizer: its tokens are looked up in the text, one after another. Empty if one is not there.
std::vector<ByteRange> stretches_of(const Tokenizer& tokenizer, const WatchedSentence& sentence) {
    const std::string text = lower_case(sentence.text);
    if (text.size() != sentence.text.size()) return {};  // so that both have the same offsets
    std::vector<ByteRange> stretches;
    std::size_t at = 0;
    for (const WordTokenizer::Token& token : sentence.tokens) {
        std::string piece = lower_case(tokenizer.decode({&token.id, 1}));
        std::size_t found = text.find(piece, at);
        if (found == std::string::npos) found = text.find(piece = lower_case(token.text), at);  // an unknown word
        if (found == std::string::npos) return {};
        at = found + piece.size();
        const std::size_t first = std::min(piece.find_first_not_of(' '), piece.size());
        stretches.push_back({found + first, std::max(found + first, found + piece.find_last_not_of(' ') + 1)});
    }
    return stretches;
}

/// A name for each token that tells which part of the text it stands for; empty if that is not known.
std::vector<std::string> named_by_place(const Frame& frame, int slot) try {
    const WatchedSentence& sentence = frame.sentence(slot);
    const Tokenizer* const tokenizer = frame.model(slot).tokenizer.get();
    if (!tokenizer) return {};
    const auto* const published = dynamic_cast<const HfTokenizer*>(tokenizer);
    const std::vector<ByteRange> stretches =
        published ? stretches_of(*published, sentence.text) : stretches_of(*tokenizer, sentence);
    std::vector<std::string> names;
    if (stretches.size() != sentence.tokens.size()) return names;
    for (std::size_t i = 0; i < stretches.size(); ++i) {
        const auto [begin, end] = stretches[i];
        names.push_back(begin == end ? sentence.tokens[i].text
                                     : "\n" + std::to_string(begin) + "-" + std::to_string(end));
    }
    return names;
} catch (const Error&) {  // the sentence still belongs to the previous model
    return {};
}

void align_part(Words a, Words b, AlignedWord first, const AlignedWord& anchor, PatchPartners& partners) {
    const auto inside = [](int at, int begin, std::size_t size) {
        return at >= begin && at < begin + static_cast<int>(size);
    };
    AlignedWord own;
    if (inside(anchor.a, first.a, a.size()) && inside(anchor.b, first.b, b.size()))
        own = {anchor.a - first.a, anchor.b - first.b};
    for (const AlignedWord& word : align_words(a, b, own))
        if (word.both()) partners[first.a + word.a] = first.b + word.b;
}

}  // namespace

std::vector<AlignedWord> align_words(Words a, Words b, const AlignedWord& anchor) {
    std::vector<AlignedWord> aligned;
    if (!anchor.both()) {
        align(a, b, {0, 0}, aligned);
        return aligned;
    }
    const auto at_a = static_cast<std::size_t>(anchor.a), at_b = static_cast<std::size_t>(anchor.b);
    align(a.first(at_a), b.first(at_b), {0, 0}, aligned);
    aligned.push_back(anchor);
    align(a.subspan(at_a + 1), b.subspan(at_b + 1), {anchor.a + 1, anchor.b + 1}, aligned);
    return aligned;
}

std::vector<std::string> names_to_align(const Frame& frame, int slot, bool source) {
    if (!source && !frame.same_model() && frame.sentence(0).text == frame.sentence(1).text) {
        std::vector<std::string> names = named_by_place(frame, slot);
        if (!names.empty() && !named_by_place(frame, 1 - slot).empty()) return names;
    }
    return words_of(source ? frame.sentence(slot).source : frame.sentence(slot).tokens);
}

AlignedWord same_homonym(const Frame& frame) {
    const WatchedSentence &a = frame.sentence(0), &b = frame.sentence(1);
    if (a.homonym_pos < 0 || b.homonym_pos < 0) return {};
    const AlignedWord both{a.homonym_pos, b.homonym_pos};
    const bool same = a.tokens[both.a].text == b.tokens[both.b].text;
    return same ? both : AlignedWord{};
}

PatchPartners patch_partners(const Frame& frame, int slot) {
    const std::vector<std::string> a = words_of(frame.sentence(slot).tokens),
                                   b = words_of(frame.sentence(1 - slot).tokens);
    const int chosen = frame.state.token[slot], other = frame.state.token[1 - slot];
    const bool both = chosen >= 0 && other >= 0 && chosen < int_size(a) && other < int_size(b);
    const bool moved = both && chosen != other && a[chosen] == b[other];
    if (a.size() == b.size() && !moved) return {};
    AlignedWord homonym = same_homonym(frame);
    if (slot == 1) std::swap(homonym.a, homonym.b);
    PatchPartners partners(a.size(), -1);
    if (!both) {
        align_part(a, b, {0, 0}, homonym, partners);
        return partners;
    }
    const auto at_a = static_cast<std::size_t>(chosen), at_b = static_cast<std::size_t>(other);
    align_part(Words(a).first(at_a), Words(b).first(at_b), {0, 0}, homonym, partners);
    partners[at_a] = other;
    align_part(Words(a).subspan(at_a + 1), Words(b).subspan(at_b + 1), {chosen + 1, other + 1}, homonym, partners);
    return partners;
}

PatchAlignment patch_alignment(const Frame& frame, int slot) {
    PatchAlignment alignment{patch_partners(frame, slot), {}};
    const std::vector<std::string> a = words_of(frame.sentence(slot).source),
                                   b = words_of(frame.sentence(1 - slot).source);
    if (a.size() == b.size()) return alignment;
    alignment.source.resize(a.size(), -1);
    align_part(a, b, {0, 0}, {}, alignment.source);
    return alignment;
}

}  // namespace glassformer::app
