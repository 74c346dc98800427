#pragma once

#include <vector>

#include "core/train/task.h"

namespace glassformer {

/// A sentence in which some words reveal what another word means, or which word follows it.
struct TellingSentence {
    std::vector<int> tokens;
    int asks = 0;           // position of the word in question
    std::vector<int> keys;  // positions of the words that reveal it
};

/// The telling sentences of a task; the same ones on every call.
/// For a world of senses: held-out sentences of each sense. Their keys are the words that occur in the training
/// sentences of this sense but not in those of the homonym's other sense.
/// For a world whose samples say what one of their words should attend to (Sample::looks_at), unless it translates:
/// those samples, except where that word follows an earlier copy, which is induction.
/// Empty for any other task.
std::vector<TellingSentence> telling_sentences(const Task& task);

}  // namespace glassformer
