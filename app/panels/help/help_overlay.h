#pragma once

#include "app/common/frame.h"

namespace glassformer::app {

/// The keys, over everything. Draws nothing unless it is open.
void draw_help(const Frame& frame, const Box& box);

}  // namespace glassformer::app
