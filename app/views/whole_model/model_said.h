#pragma once

#include "app/views/whole_model/canvas.h"

namespace glassformer::app::views::whole_model {

/// What the model says, on top of the page: words with their probabilities over each lane, the class of the sentence,
/// or numbers. `shown` (0 … 1) of the bars is there.
void draw_said(const Canvas& canvas, float shown);

}  // namespace glassformer::app::views::whole_model
