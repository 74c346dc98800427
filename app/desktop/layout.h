#pragma once

#include "app/common/frame.h"
#include "app/lessons/lesson_runner.h"
#include "app/presenter/presenter.h"

namespace glassformer::app {

/// Draws every panel in its place: all at once where the window is wide enough for the text size, otherwise one panel
/// at a time under a row of tabs, or what an audience sees. A lesson is at the foot; where the window is low it
/// takes the timeline's place. `sets_up`: the set-up of a run, where it is open, takes the panels' place.
void draw_layout(const Frame& frame, const Box& window, LessonRunner& lessons, Presenter& presenter, bool sets_up);

/// The set-up in place of the panels; the map of what would be made stays beside it where there is room.
void draw_setup_page(const Frame& frame, const Box& panels);

/// What lies over all that while it is open: the palette, questions, help, the course and their like.
void draw_cards_over(const Frame& frame, const Box& window, LessonRunner& lessons);

/// Keys to choices: ↑↓ layer, ←→ head, Tab token, Space and PageDown / PageUp stage, T train or pause, Escape back,
/// Ctrl +/− size, F5 and F11 presenter, Ctrl+K palette, Ctrl+Z and Ctrl+Y undo and redo.
void handle_keys(const Frame& frame);

/// While Alt is held: a frame around the item under the pointer, and its name, as lessons and scripts call it; Alt+C
/// copies it. To be called when all is drawn. Item "item name" (its text is the name).
void draw_item_names(const Frame& frame, const Box& window);

/// Width of what a closed panel leaves, in pixels at 100 %; of the timeline it is the height.
inline constexpr float rail_width = 30;

/// What a closed panel leaves: its name along the edge of the window. A click opens it.
void draw_rail(const Frame& frame, const Box& box, SidePanel panel);
/// At the edge of an open panel, in the gap beside it: a click closes it.
void draw_fold(const Frame& frame, const Box& gap, SidePanel panel);
/// The keys that open and close the panels.
void panel_keys(const Frame& frame);

}  // namespace glassformer::app
