#pragma once

#include "app/common/frame.h"

/// ▢ in the place of a word, so that the model has to guess it.
namespace glassformer::app {

/// Asks the worker for the card's sentence with ▢ at a position, and remembers to choose that place.
void hide_word(const Frame& frame, int slot, int position);

/// Chooses the place that was hidden once the worker has read it; call once a frame where words can be hidden.
void settle_hiding(const Frame& frame, int slot);

}  // namespace glassformer::app
