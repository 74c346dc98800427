#pragma once

#include <imgui.h>

#include <array>
#include <string>

#include "app/ui/text_scale.h"

namespace glassformer::app {

class GlyphText;

/// What a text is for; every second one is bold. Sizes at 100 %: small 13, body 15, title 17, big 20 (em size in
/// pixels).
enum class FontRole { small, small_bold, body, body_bold, title, title_bold, big, big_bold };
inline constexpr int font_role_count = 8;

/// The fonts of one scale, all in one atlas. Within a font all digits have one width, and so have the plus and the
/// minus sign, so that numbers stand in columns.
struct Fonts {
    std::array<ImFont*, font_role_count> font{};
    float scale = 1;
    std::string family;           ///< what was found: "Inter", "DejaVu Sans" or "ImGui default"
    std::string note;             ///< empty, or what is missing and which package to install
    GlyphText* glyphs = nullptr;  ///< draws what these fonts lack; null: nothing does

    ImFont* operator[](FontRole role) const { return font[static_cast<int>(role)]; }
};

/// Clears `atlas` and fills it for `scale` (pixels are rasterised at their real size). Fonts come from the
/// folder GLASSFORMER_FONT_DIR, if set, then from the system's Inter, then DejaVu Sans, then ImGui's own font.
Fonts build_fonts(ImFontAtlas& atlas, float scale);

/// The scales that build_fonts() makes fonts for.
inline constexpr float least_font_scale = 0.5f, most_font_scale = 6.25f;

/// Whether a role's text is bold.
inline bool is_bold(FontRole role) { return static_cast<int>(role) % 2 != 0; }

/// The files that text is drawn from, as build_fonts() finds them; empty where there is none.
struct FontFiles {
    std::string regular, bold;          ///< the text face
    std::string symbols, symbols_bold;  ///< what the text face lacks
    float line_per_em = 0;              ///< of the text face: ImGui measures a font by its line
    std::string family;
};
FontFiles find_fonts();

/// Whether a character is one of those that these fonts are for: Latin, the Greek of formulas, marks. What else a file
/// has (DejaVu's Hebrew, which Dear ImGui 1.92 would draw from the left) is GlyphText's.
bool is_for_fonts(char32_t point);

}  // namespace glassformer::app
