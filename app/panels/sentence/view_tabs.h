#pragma once

#include "app/common/frame.h"

namespace glassformer::app {

/// The row of tabs that chooses the view; a list where they do not fit.
void draw_view_tabs(const Frame& frame, const Box& box);

}  // namespace glassformer::app
