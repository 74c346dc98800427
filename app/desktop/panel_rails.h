#pragma once

#include "app/common/frame.h"

namespace glassformer::app {

/// Width of what a closed panel leaves, in pixels at 100 %; of the timeline it is the height.
inline constexpr float rail_width = 30;

/// What a closed panel leaves: its name along the edge of the window. A click opens it.
void draw_rail(const Frame& frame, const Box& box, SidePanel panel);
/// At the edge of an open panel, in the gap beside it: a click closes it.
void draw_fold(const Frame& frame, const Box& gap, SidePanel panel);
/// The keys that open and close the panels.
void panel_keys(const Frame& frame);

}  // namespace glassformer::app
