#pragma once

#include <string>

#include "app/export/drawing.h"
#include "app/window/offscreen.h"

/// A drawing as the bytes of a file, on white ground.
namespace glassformer::app {

/// Lines and words; one that can be edited. `title` is what programs call it.
std::string to_svg(const Drawing& drawing, const std::string& title);
/// One page of the drawing's size, with its words as text.
std::string to_pdf(const Drawing& drawing, const std::string& title);
/// Drawn again at `times` its size, so that it stays sharp. Throws Error where it would be too large.
Image to_image(const Drawing& drawing, float times);

}  // namespace glassformer::app
