#pragma once

#include <string>

#include "app/ui/fonts.h"

namespace glassformer::app {

/// The files that text is drawn from, as build_fonts() finds them; empty where there is none.
struct FontFiles {
    std::string regular, bold;          ///< the text face
    std::string symbols, symbols_bold;  ///< what the text face lacks
    float line_per_em = 0;              ///< of the text face: ImGui measures a font by its line
    float symbols_line_per_em = 0;
    std::string family;
};
FontFiles find_fonts();

/// The scales that build_fonts() makes fonts for.
inline constexpr float least_font_scale = 0.5f, most_font_scale = 6.25f;

/// Whether a role's text is bold.
bool is_bold(FontRole role);

}  // namespace glassformer::app
