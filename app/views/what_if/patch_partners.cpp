#include "app/views/what_if/patch_partners.h"

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "app/common/word_alignment.h"

namespace glassformer::app::views::what_if {

namespace {

using Words = std::span<const std::string>;

std::vector<std::string> words_of(const WatchedSentence& sentence) {
    std::vector<std::string> words;
    for (const WordTokenizer::Token& token : sentence.tokens) words.push_back(token.text);
    return words;
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

PatchPartners patch_partners(const Frame& frame, int slot) {
    const std::vector<std::string> a = words_of(frame.sentence(slot)), b = words_of(frame.sentence(1 - slot));
    if (a.size() == b.size()) return {};
    AlignedWord homonym = same_homonym(frame);
    if (slot == 1) std::swap(homonym.a, homonym.b);
    PatchPartners partners(a.size(), -1);
    const int chosen = frame.state.token[slot], other = frame.state.token[1 - slot];
    if (chosen < 0 || other < 0 || chosen >= static_cast<int>(a.size()) || other >= static_cast<int>(b.size())) {
        align_part(a, b, {0, 0}, homonym, partners);
        return partners;
    }
    const auto at_a = static_cast<std::size_t>(chosen), at_b = static_cast<std::size_t>(other);
    align_part(Words(a).first(at_a), Words(b).first(at_b), {0, 0}, homonym, partners);
    partners[at_a] = other;
    align_part(Words(a).subspan(at_a + 1), Words(b).subspan(at_b + 1), {chosen + 1, other + 1}, homonym, partners);
    return partners;
}

}  // namespace glassformer::app::views::what_if
