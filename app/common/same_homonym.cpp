#include "app/common/same_homonym.h"

namespace glassformer::app {

AlignedWord same_homonym(const Frame& frame) {
    const WatchedSentence &a = frame.sentence(0), &b = frame.sentence(1);
    if (a.homonym_pos < 0 || b.homonym_pos < 0) return {};
    const AlignedWord both{a.homonym_pos, b.homonym_pos};
    const bool same = a.tokens[both.a].text == b.tokens[both.b].text;
    return same ? both : AlignedWord{};
}

}  // namespace glassformer::app
