#pragma once

#include <string>

#include "app/export/drawing.h"
#include "app/window/offscreen.h"

/// Converts a drawing to the bytes of a file, on a white background.
namespace glassformer::app {

/// Returns editable SVG with lines and words. `title` is the document's title in programs.
std::string to_svg(const Drawing& drawing, const std::string& title);
/// Returns a PDF with one page of the drawing's size, with its words as text.
std::string to_pdf(const Drawing& drawing, const std::string& title);
/// Renders the drawing at `times` its size, so that it stays sharp. Throws Error if it would be too large.
Image to_image(const Drawing& drawing, float times);

}  // namespace glassformer::app
