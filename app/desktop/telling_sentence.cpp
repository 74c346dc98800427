#include "app/desktop/telling_sentence.h"

namespace glassformer::app {

namespace {

/// What the word of two meanings takes from another word in the chosen head; 0 where it reads itself most.
float read_of_another(const ViewState& state, const Snapshot& snapshot, int slot) {
    const WatchedSentence& sentence = snapshot.sentences[slot];
    if (sentence.homonym_pos < 0 || !sentence.trace || !has_attention(state, *sentence.trace)) return -1;
    const int key = strongest_key(state, snapshot, slot, sentence.homonym_pos);
    if (key < 0 || key == sentence.homonym_pos) return 0;
    return sentence.trace->at(pattern_cell(state, *sentence.trace, sentence.homonym_pos, key));
}

}  // namespace

int telling_sentence(const ViewState& state, const Snapshot& snapshot) {
    const float of_first = read_of_another(state, snapshot, 0);
    return of_first >= 0 && read_of_another(state, snapshot, 1) > of_first ? 1 : 0;
}

}  // namespace glassformer::app
