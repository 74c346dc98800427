#pragma once

#include <imgui.h>

namespace glassformer::app {

/// A box on screen, in pixels.
struct Box {
    ImVec2 min, max;
    float width() const { return max.x - min.x; }
    float height() const { return max.y - min.y; }
};

}  // namespace glassformer::app
