#pragma once

#include <string>

#include "app/common/frame.h"

/// What a number is of, for what leaves the window: a copied text, the caption of a picture.
namespace glassformer::app {

/// "block 0 · head 1 off, residual off": the changes that are made in what a card shows; empty: none.
std::string altered_words(const Frame& frame, int slot);

/// "sentence A: He swung the bat., step 1200", of two models "…, model homonyms, step 1200", and on a line of its own
/// what was changed in the model. Ends with a line.
std::string of_what(const Frame& frame, int slot);

}  // namespace glassformer::app
