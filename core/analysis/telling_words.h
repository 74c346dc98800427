#pragma once

#include <vector>

#include "core/train/task.h"

namespace glassformer {

/// A sentence in which some words tell what another one means, or what comes after it.
struct TellingSentence {
    std::vector<int> tokens;
    int asks = 0;           // the place of the word that is told about
    std::vector<int> keys;  // the places of those that tell
};

/// Of a world of senses: held-out sentences of each sense, in which those words tell the homonym's meaning that the
/// training sentences of this sense have, and those of the other sense of the same homonym have not. Of a world whose
/// samples say what one of their words should attend to (Sample::looks_at), and which translates nothing: its samples,
/// but where that is the word after an earlier copy, which is induction. Else none. The same ones each time.
std::vector<TellingSentence> telling_sentences(const Task& task);

}  // namespace glassformer
