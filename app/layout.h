#pragma once

#include "app/views/frame.h"

namespace glassformer::app {

/// Draws every panel in its place: all at once where the window is wide enough for the text size, otherwise one panel
/// at a time under a row of tabs.
void draw_layout(const Frame& frame, const Box& window);

}  // namespace glassformer::app
