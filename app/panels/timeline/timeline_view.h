#pragma once

#include "app/common/frame.h"

namespace glassformer::app {

/// The curves of the training, travel along its steps, and the controls of the training.
void draw_timeline(const Frame& frame, const Box& box);

}  // namespace glassformer::app
