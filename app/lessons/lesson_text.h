#pragma once

#include <span>

#include "app/common/frame.h"
#include "app/lessons/live_numbers.h"

namespace glassformer::app {

/// Height of a lesson's text at this width; **two stars** make bold, $two dollars$ a formula as math::text() draws it,
/// an empty line a paragraph; a picture is in lines of its own.
float lesson_text_height(const Ui& ui, float width, const LiveText& text, std::span<const LiveValue> values);

/// Draws it, with its numbers as items "<label> 0", "<label> 1" …; a click on a number of a trace opens its
/// explanation. Returns the height.
float draw_lesson_text(const Frame& frame, ImVec2 at, float width, const LiveText& text,
                       std::span<const LiveValue> values, std::string_view label);

}  // namespace glassformer::app
