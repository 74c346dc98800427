#pragma once

#include <string>
#include <vector>

#include "app/common/frame.h"
#include "core/analysis/surprise.h"

/// How surprised the model is by each word of a sentence, and how sure it was before it saw the word.
namespace glassformer::app {

/// What the model has read when it predicts a word of the sentence.
enum class ReadBefore {
    earlier_words,      ///< those before it
    all_other_words,    ///< the whole sentence with this word masked
    nothing_predicted,  ///< it predicts no words of the sentence, or was not asked to
};

struct WordSurprise {
    ReadBefore read = ReadBefore::nothing_predicted;
    std::vector<TokenSurprise> tokens;  ///< by position; NaN where nothing predicts it
    bool complete = true;               ///< else those at the end are still being computed
    std::string why_not;                ///< where it failed

    /// That of one word; NaN where there is none.
    TokenSurprise at(int position) const;
    /// The position that a question of a lesson would have to ask about for this word's number to be its answer.
    int predicted_at(int position) const { return read == ReadBefore::earlier_words ? position - 1 : position; }
};

/// Of a sentence as the card shows it: its model, step and changes. Where its predictions are not kept and large, a
/// thread of its own computes it, a few positions at a time.
const WordSurprise& word_surprise(const Frame& frame, int slot);

/// Whether a card's words are coloured by it: chosen, and of a model that predicts words.
bool coloured_by_surprise(const Frame& frame, int slot);

/// Nobody looks: the worker need not mask the words of a model from elsewhere.
void no_word_surprise(const Frame& frame);

/// The share of the scale, 0 to 1, at which these bits stand: 1 is log₂ of the vocabulary, as unsure as guessing among
/// all words.
float share_of_bits(const Frame& frame, int slot, double bits);

}  // namespace glassformer::app
