#pragma once

#include "app/common/frame.h"

namespace glassformer::app {

/// "Where does this number come from?": the formula of the chosen number with its operands.
void draw_explanation(const Frame& frame, const Box& box);

}  // namespace glassformer::app
