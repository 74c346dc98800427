#pragma once

#include <optional>
#include <span>

#include "app/common/frame.h"

/// What the model says at the chosen word of a sentence, and what it said before it was changed.
namespace glassformer::app {

/// What the likeliest words are a guess about.
enum class Guess { masked, next, sentence };
Guess guess_of(const ModelInfo& model);

/// One row of probabilities.
struct SaidWords {
    std::span<const float> now;       ///< of every word, or of every class
    std::span<const float> before;    ///< the same of the model as it is; empty where nothing was changed
    int node = -1;                    ///< of the sentence's own trace; −1: of the trace with the word hidden
    std::int64_t first = 0;           ///< offset of `now` in it
    SliceView now_part, before_part;  ///< what the spans above may look into

    bool changed() const { return !before.empty(); }
    Cell cell(int word) const { return {node, first + word}; }
};
/// Nothing where there is no trace, or the model says numbers.
std::optional<SaidWords> said_words(const Frame& frame, int slot);
/// Ids of the largest probabilities, the largest first and of equals the first; fewer where there are not so many.
std::vector<int> likeliest(std::span<const float> probabilities, int most);
/// A word's name, or a class's.
std::string said_name(const Frame& frame, int word);

}  // namespace glassformer::app
