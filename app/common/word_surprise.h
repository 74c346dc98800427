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
    bool complete = true;               ///< false: those at the end are still being computed
    std::string why_not;                ///< the reason, if it failed

    /// The surprise of one word; NaN if there is none.
    TokenSurprise at(int position) const;
    /// The position that a lesson's question has to ask about to get this word's number.
    int predicted_at(int position) const { return read == ReadBefore::earlier_words ? position - 1 : position; }
};

/// The surprise of a sentence as the card shows it: its model, step and changes. If its predictions are not kept, or
/// are large, it is computed in the background, a few positions at a time.
const WordSurprise& word_surprise(const Frame& frame, int slot);

/// True if a card's words are coloured by it: it is chosen, and the model predicts words.
bool coloured_by_surprise(const Frame& frame, int slot);

/// Call if nobody looks: the worker need not mask the words of a published model.
void no_word_surprise(const Frame& frame);

/// Where these bits are on a scale from 0 to 1: 1 is log₂ of the vocabulary, as unsure as guessing among all words.
float share_of_bits(const Frame& frame, int slot, double bits);

}  // namespace glassformer::app
