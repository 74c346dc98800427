#pragma once

#include "app/common/frame.h"

namespace glassformer::app {

/// The words of a sentence as chips, coloured by what the chosen one looks at in the chosen head; of a translation the
/// source's words first. A long sentence is a few lines that scroll. Returns the y below them (sentence_chips.cpp).
float draw_sentence_chips(const Frame& frame, Box box, int slot);

/// Whether they all find room in one line of that width. False too where they stand in groups.
bool sentence_chips_fit(const Frame& frame, int slot, float width);

/// Whether a word is not in the model's vocabulary.
bool is_unknown(const Frame& frame, int slot, int position);

}  // namespace glassformer::app
