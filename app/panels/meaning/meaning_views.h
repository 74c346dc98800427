#pragma once

#include <span>

#include "app/common/frame.h"

namespace glassformer::app {

/// Can a layer tell the two meanings apart?
void draw_sense_accuracy(const Frame& frame, const Box& box);
/// Its bars, a row for each layer. `before`: of the model before it was altered, or empty. Covered where they are `of`
/// another model than the sentences show; null: never. Returns whether the mouse is over them.
bool draw_accuracy_bars(const Frame& frame, const Box& box, std::span<const float> accuracy,
                        std::span<const float> before, const MeasuredOf* of);
/// Every sample of the homonym on screen, placed by its vector.
void draw_meaning_map(const Frame& frame, const Box& box);
/// The nearest words of the chosen word's vector, and what the model would say there.
void draw_word_meaning(const Frame& frame, const Box& box);

}  // namespace glassformer::app
