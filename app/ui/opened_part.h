#pragma once

#include "app/ui/box.h"

namespace glassformer::app {

/// What a click opens in a region that scrolls: when it has opened, it is scrolled into sight, as little as needed.
/// Kept by whoever remembers whether it is open.
class OpenedPart {
public:
    /// Call where the part is drawn, in every frame, inside the region. `open`: whether it is, and where. True: call
    /// again in another frame, since a region knows only then how far it can be scrolled.
    bool draw(bool open, const Box& box);

private:
    bool was_open_ = false;
    int frames_ = 0;  // left, in which it is brought into sight
};

}  // namespace glassformer::app
