#pragma once

#include "app/common/frame.h"

namespace glassformer::app {

/// The map of the model, laid out from the graph that is executed.
void draw_model_map(const Frame& frame, const Box& box);

}  // namespace glassformer::app
