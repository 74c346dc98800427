#pragma once

#include <span>

#include "app/common/frame.h"
#include "app/lessons/lesson.h"
#include "app/lessons/live_numbers.h"
#include "app/ui/box.h"

namespace glassformer::app {

/// Returns the height of a lesson's text at this width. **Two stars** make bold, $two dollars$ a formula as
/// math::text() draws it; an empty line ends a paragraph; a picture has lines of its own.
float lesson_text_height(const Ui& ui, float width, const LiveText& text, std::span<const LiveValue> values);

/// Draws the text, with its numbers as items "<label> 0", "<label> 1", …; clicking a number of a trace opens its
/// explanation. Returns the height.
float draw_lesson_text(const Frame& frame, ImVec2 at, float width, const LiveText& text,
                       std::span<const LiveValue> values, std::string_view label);

/// Returns the size of a picture in a text of this width: its own size at 100 %, scaled down if there is no room. If it
/// cannot be shown, the size of the sentence saying why.
ImVec2 lesson_picture_size(const Ui& ui, float width, const LessonPicture& picture);
/// Draws a picture of a text; a click enlarges it. Item "lesson/picture FILE": 1 if it can be shown, otherwise 0.
void draw_lesson_picture(const Frame& frame, const Box& box, const LiveText::Piece& piece);

/// Draws the clicked picture over everything, until a click or Esc; it closes with its text. Item "lesson/large
/// picture".
void draw_large_picture(const Frame& frame, const Box& window);
/// Returns false if none is open.
bool close_large_picture(ViewState& state);

}  // namespace glassformer::app
