#pragma once

#include "app/common/frame.h"

/// Links two cards: what is under the mouse in one is highlighted in the other too, the same word or the same number of
/// it.
namespace glassformer::app {

/// The position in the other card's sentence that corresponds to a position: the same one if both show the same text,
/// else that of the aligned word (see align_words() and names_to_align()). −1: none.
int counterpart(const Frame& frame, int slot, int position, bool source = false);

/// The number in the other card that corresponds to a number: the same node and position, for the aligned word and, if
/// two heads are compared, in the other head. Node −1 if there is none.
TracedCell counterpart(const Frame& frame, const TracedCell& at);

/// Call at the start of a frame: takes over what the last frame's views found under the mouse.
void link_cards(const Frame& frame);

/// Reports that a word is under the mouse.
void point_at_word(const Frame& frame, int slot, int position);
/// True if a word or its counterpart is under the mouse.
bool word_is_lit(const ViewState& state, int slot, int position);

/// The card's highlighted number: the mouse is on it or on its counterpart. Node −1: none.
const Cell& lit_cell(const ViewState& state, int slot);

/// Represents a head as a whole: the first cell of its rows of W_O. Node −1 if it has none.
Cell cell_of_head(const Trace& trace, int layer, int head, bool cross = false);

}  // namespace glassformer::app
