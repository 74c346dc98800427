#pragma once

#include "app/ui/glyphs/font_finder.h"

namespace glassformer::app {

/// The browser's fonts as a face without a file: its canvas draws them.
inline FontFace canvas_face(bool bold) { return {"the browser's fonts", bold ? 1 : 0}; }

/// True if the browser has a glyph for a character, rather than the box for a missing one.
bool canvas_has(char32_t character);

}  // namespace glassformer::app
