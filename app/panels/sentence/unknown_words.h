#pragma once

#include "app/common/frame.h"

namespace glassformer::app {

/// What to do about words that are not in the model's vocabulary, from `y` on: the known ones that are spelt most like
/// them, to click. Returns the y below (unknown_words.cpp).
float draw_unknown_words(const Frame& frame, const Box& box, float y, int slot);

}  // namespace glassformer::app
