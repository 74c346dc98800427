#pragma once

#include "app/common/frame.h"

/// What is under the mouse in one of two cards is lit in the other one too: the same word, and the same number of it.
namespace glassformer::app {

/// The place of the other card's sentence that a place is compared with: where both show one text the same, else the
/// word that coincides with it (see align_words()); −1: none.
int counterpart(const Frame& frame, int slot, int position, bool source = false);

/// The number of the other card that a number is compared with: the same node and place, of the word that coincides
/// and, where two heads are compared, in the other head. Node −1 where there is none.
TracedCell counterpart(const Frame& frame, const TracedCell& at);

/// At the start of a frame: takes over what the views of the last one said is under the mouse.
void link_cards(const Frame& frame);

/// Says that a word is under the mouse.
void point_at_word(const Frame& frame, int slot, int position);
/// Whether a word, or the one that it is compared with, is under the mouse.
bool word_is_lit(const ViewState& state, int slot, int position);

/// The number of a card that is lit because the mouse is on it or on its counterpart; node −1: none.
const Cell& lit_cell(const ViewState& state, int slot);

/// Stands for a head where none of its numbers is pointed at: the first cell of its rows of W_O; node −1 where it has
/// none.
Cell cell_of_head(const Trace& trace, int layer, int head, bool cross = false);

}  // namespace glassformer::app
