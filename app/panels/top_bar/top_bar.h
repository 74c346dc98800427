#pragma once

#include "app/common/frame.h"

namespace glassformer::app {

/// The bar at the top of the window: the model, the sentences, what computes.
void draw_top_bar(const Frame& frame, const Box& box);

}  // namespace glassformer::app
