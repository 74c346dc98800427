#pragma once

#include <span>

#include "app/ui/box.h"

namespace glassformer::app::draw {

/// Where cards have been drawn in this frame, as far as they are in sight, in the order of drawing.
std::span<const Box> cards_of_frame();

}  // namespace glassformer::app::draw
