#pragma once

#include <span>

#include "app/common/frame.h"
#include "app/lessons/lesson.h"
#include "app/lessons/live_numbers.h"
#include "app/ui/box.h"

namespace glassformer::app {

/// Height of a lesson's text at this width; **two stars** make bold, $two dollars$ a formula as math::text() draws it,
/// an empty line a paragraph; a picture is in lines of its own.
float lesson_text_height(const Ui& ui, float width, const LiveText& text, std::span<const LiveValue> values);

/// Draws it, with its numbers as items "<label> 0", "<label> 1" …; a click on a number of a trace opens its
/// explanation. Returns the height.
float draw_lesson_text(const Frame& frame, ImVec2 at, float width, const LiveText& text,
                       std::span<const LiveValue> values, std::string_view label);

/// How large a picture is in a text of this width: as it is at 100 %, and smaller where there is no room. Where it
/// cannot be shown, the room for the sentence that says why.
ImVec2 lesson_picture_size(const Ui& ui, float width, const LessonPicture& picture);
/// Draws the picture of a text. A click shows it large. Item "lesson/picture FILE": 1 where it can be shown, else 0.
void draw_lesson_picture(const Frame& frame, const Box& box, const LiveText::Piece& piece);

/// The picture that was clicked, over everything, until a click or Esc; it goes with the text that it is in. Item
/// "lesson/large picture".
void draw_large_picture(const Frame& frame, const Box& window);
/// False where there is none.
bool close_large_picture(ViewState& state);

}  // namespace glassformer::app
