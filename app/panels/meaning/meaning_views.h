#pragma once

#include "app/common/frame.h"

namespace glassformer::app {

/// Can a layer tell the two meanings apart?
void draw_sense_accuracy(const Frame& frame, const Box& box);
/// Every sample of the homonym on screen, placed by its vector.
void draw_meaning_map(const Frame& frame, const Box& box);
/// The nearest words of the chosen word's vector, and what the model would say there.
void draw_word_meaning(const Frame& frame, const Box& box);

}  // namespace glassformer::app
