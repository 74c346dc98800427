#pragma once

#include "app/ui/glyphs/font_finder.h"

namespace glassformer::app {

/// The browser's fonts as a face that is no file: its canvas draws them.
inline FontFace canvas_face(bool bold) { return {"the browser's fonts", bold ? 1 : 0}; }

/// Whether the browser draws something of its own for a character, and not a box for what no font has.
bool canvas_has(char32_t character);

}  // namespace glassformer::app
