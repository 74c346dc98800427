#pragma once

#include "app/common/frame.h"
#include "app/panels/help/help_overlay.h"

namespace glassformer::app {

/// The keys, over everything.
struct HelpOverlay {
    bool open = false;
};

/// Draws nothing unless it is open.
void draw_help(const Frame& frame, const Box& box);

}  // namespace glassformer::app
