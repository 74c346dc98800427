#pragma once

#include "app/ui/box.h"

namespace glassformer::app {

/// A part that a click opens inside a scrolling region: once open, it is scrolled into view, as little as needed. Store
/// it beside the flag that says whether the part is open.
class OpenedPart {
public:
    /// Call this in every frame where the part is drawn, inside the region. `open`: whether it is open; `box`: where.
    /// True: call again in another frame, since only then does the region know how far it can scroll.
    bool draw(bool open, const Box& box);

private:
    bool was_open_ = false;
    int frames_ = 0;  // frames left in which to scroll
};

}  // namespace glassformer::app
