#include "app/common/reading_direction.h"

#include "app/ui/glyphs/text_line.h"

namespace glassformer::app {

bool reads_from_right(const Frame& frame, int slot, bool source) {
    const WatchedSentence& sentence = frame.sentence(slot);
    const int count = static_cast<int>(source ? sentence.source.size() : sentence.tokens.size());
    std::string words;
    for (int i = 0; i < count; ++i) words += source ? frame.source_word(slot, i) : frame.word(slot, i);
    return runs_right_to_left(words);
}

}  // namespace glassformer::app
