#pragma once

#include "app/common/frame.h"
#include "app/lessons/lesson_runner.h"
#include "app/presenter/presenter.h"

namespace glassformer::app {

/// Draws every panel in its place: all at once if the window is large enough for the text size, otherwise one at a time
/// under a row of tabs, or what an audience sees. A lesson is at the bottom; in a low window it replaces the timeline.
/// `sets_up`: if the set-up of a run is open, it replaces the panels.
void draw_layout(const Frame& frame, const Box& window, LessonRunner& lessons, Presenter& presenter, bool sets_up);

/// Draws the set-up in place of the panels; the map of the new model stays beside it if there is room.
void draw_setup_page(const Frame& frame, const Box& panels);

/// Draws what is open over all that: the palette, questions, help, the course and so on.
void draw_cards_over(const Frame& frame, const Box& window, LessonRunner& lessons);

/// Turns keys into choices: ↑↓ layer, ←→ head, Tab token, Space and PageDown / PageUp stage, T train or pause, Escape
/// back, Ctrl +/− size, F5 and F11 presenter, Ctrl+K palette, Ctrl+Z and Ctrl+Y undo and redo.
void handle_keys(const Frame& frame);

/// While Alt is held: frames the item under the pointer and shows its name as lessons and scripts use it; Alt+C copies
/// it. Call after everything else is drawn. Item "item name" (its text is the name).
void draw_item_names(const Frame& frame, const Box& window);

/// Width of a closed panel's rail, in pixels at 100 %; for the timeline its height.
inline constexpr float rail_width = 30;

/// Draws a closed panel's rail: its name along the window's edge. A click opens the panel.
void draw_rail(const Frame& frame, const Box& box, SidePanel panel);
/// Draws the handle in the gap beside an open panel. A click closes the panel.
void draw_fold(const Frame& frame, const Box& gap, SidePanel panel);
/// Handles the keys that open and close panels.
void panel_keys(const Frame& frame);

}  // namespace glassformer::app
