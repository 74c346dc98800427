#pragma once

#include "app/lessons/lesson_runner.h"
#include "app/views/frame.h"

namespace glassformer::app {

/// The largest text size at which a window of this many pixels shows every panel at once.
float largest_wide_scale(ImVec2 window);

/// Draws every panel in its place: all at once where the window is wide enough for the text size, otherwise one panel
/// at a time under a row of tabs. A lesson stands at the foot; where the window is low it takes the timeline's place.
void draw_layout(const Frame& frame, const Box& window, LessonRunner& lessons);

}  // namespace glassformer::app
