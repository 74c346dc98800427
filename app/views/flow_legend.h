#pragma once

#include "app/views/frame.h"
#include "app/views/head_colours.h"

namespace glassformer::app {

/// Height of the heads' names and colours, on as many lines as they take.
float flow_legend_height(const Frame& frame, int heads, float width);
/// A click on a head chooses it.
void draw_flow_legend(const Frame& frame, int slot, int heads, const Box& box);

}  // namespace glassformer::app
