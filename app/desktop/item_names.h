#pragma once

#include "app/common/frame.h"

namespace glassformer::app {

/// While Alt is held: a frame around the item under the pointer, and its name, as lessons and scripts call it; Alt+C
/// copies it. To be called when all is drawn. Item "item name" (its text is the name).
void draw_item_names(const Frame& frame, const Box& window);

}  // namespace glassformer::app
