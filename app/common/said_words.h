#pragma once

#include <optional>
#include <span>

#include "app/common/frame.h"

/// What the model predicts at a sentence's chosen word, and what it predicted before it was changed.
namespace glassformer::app {

/// What the most likely words are a prediction of.
enum class Guess { masked, next, sentence };
Guess guess_of(const ModelInfo& model);

/// One row of probabilities.
struct SaidWords {
    std::span<const float> now;       ///< of every word, or of every class
    std::span<const float> before;    ///< the same for the unaltered model; empty if nothing was changed
    int node = -1;                    ///< in the sentence's own trace; −1: from the trace with the word masked
    std::int64_t first = 0;           ///< offset of `now` in it
    SliceView now_part, before_part;  ///< owns what the spans above may point into

    bool changed() const { return !before.empty(); }
    Cell cell(int word) const { return {node, first + word}; }
};
/// Empty if there is no trace, or if the model predicts numbers.
std::optional<SaidWords> said_words(const Frame& frame, int slot);
/// IDs of the largest probabilities, largest first, ties by smaller ID; fewer if there are not so many.
std::vector<int> likeliest(std::span<const float> probabilities, int most);
/// The name of a word or a class.
std::string said_name(const Frame& frame, int word);

}  // namespace glassformer::app
