#pragma once

#include "app/common/frame.h"
#include "app/lessons/lesson_runner.h"
#include "app/presenter/presenter.h"

namespace glassformer::app {

/// Draws every panel in its place: all at once where the window is wide enough for the text size, otherwise one panel
/// at a time under a row of tabs, or what an audience sees. A lesson stands at the foot; where the window is low it
/// takes the timeline's place.
void draw_layout(const Frame& frame, const Box& window, LessonRunner& lessons, Presenter& presenter);

}  // namespace glassformer::app
