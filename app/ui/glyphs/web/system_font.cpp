#include "app/ui/glyphs/font_finder.h"

namespace glassformer::app {

std::optional<FontFace> find_system_font(char32_t, bool) { return std::nullopt; }  // a page sees no font files

}  // namespace glassformer::app
