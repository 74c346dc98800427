#pragma once

#include "app/common/frame.h"

/// Masks words: ▢ replaces a word, so that the model has to guess it.
namespace glassformer::app {

/// True if a position holds a mask.
bool is_hidden(const Frame& frame, int slot, int position);

/// True if hide_word() works at a position: the model fills masks, and this word can be masked.
bool can_hide_word(const Frame& frame, int slot, int position);
/// Asks the worker for the card's sentence with ▢ at a position; settle_hiding() then chooses that position.
void hide_word(const Frame& frame, int slot, int position);

/// True if the word hidden at a position is known, so that show_word() can bring it back.
bool can_show_word(const Frame& frame, int slot, int position);
/// Asks the worker for the sentence with the word that hide_word() removed there.
void show_word(const Frame& frame, int slot, int position);

/// Chooses the hidden position once the worker has read it. Call once per frame where words can be hidden.
void settle_hiding(const Frame& frame, int slot);

}  // namespace glassformer::app
