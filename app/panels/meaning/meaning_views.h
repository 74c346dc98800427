#pragma once

#include <span>

#include "app/common/frame.h"

namespace glassformer::app {

/// Draws how well each layer can tell the two meanings apart.
void draw_sense_accuracy(const Frame& frame, const Box& box);
/// Draws its bars, one row per layer. `before`: the values before the model was altered, or empty. The bars are covered
/// if they are `of` a model other than the one that the sentences show; null: never. Returns true if the mouse is over
/// them.
bool draw_accuracy_bars(const Frame& frame, const Box& box, std::span<const float> accuracy,
                        std::span<const float> before, const MeasuredOf* of);
/// Draws every sample of the current homonym, placed by its vector.
void draw_meaning_map(const Frame& frame, const Box& box);
/// Draws the words nearest to the chosen word's vector, and what the model would predict there.
void draw_word_meaning(const Frame& frame, const Box& box);

}  // namespace glassformer::app
