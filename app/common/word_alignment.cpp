#include "app/common/word_alignment.h"

#include <algorithm>

namespace glassformer::app {

namespace {

using Words = std::span<const std::string>;

/// Of the words from `first` on, as places in the whole sentences.
void align(Words a, Words b, AlignedWord first, std::vector<AlignedWord>& aligned) {
    // common[i][j]: how many words a[i…] and b[j…] have in common at most.
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

AlignedWord same_homonym(const Frame& frame) {
    const WatchedSentence &a = frame.sentence(0), &b = frame.sentence(1);
    if (a.homonym_pos < 0 || b.homonym_pos < 0) return {};
    const AlignedWord both{a.homonym_pos, b.homonym_pos};
    const bool same = a.tokens[both.a].text == b.tokens[both.b].text;
    return same ? both : AlignedWord{};
}

}  // namespace glassformer::app
