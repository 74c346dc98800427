#pragma once

#include "app/common/frame.h"

/// ▢ in the place of a word, so that the model has to guess it.
namespace glassformer::app {

/// Whether a mask is at a position.
bool is_hidden(const Frame& frame, int slot, int position);

/// Whether hide_word() can do something with the word at a position: the model fills hidden words, and this is one that
/// can be hidden.
bool can_hide_word(const Frame& frame, int slot, int position);
/// Asks the worker for the card's sentence with ▢ at a position, and remembers to choose that place.
void hide_word(const Frame& frame, int slot, int position);

/// Whether what was hidden at a position is known, so that show_word() can bring it back.
bool can_show_word(const Frame& frame, int slot, int position);
/// Asks for the sentence with the word that hide_word() took away there.
void show_word(const Frame& frame, int slot, int position);

/// Chooses the place that was hidden once the worker has read it; call once a frame where words can be hidden.
void settle_hiding(const Frame& frame, int slot);

}  // namespace glassformer::app
