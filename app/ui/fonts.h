#pragma once

#include <imgui.h>

#include <array>
#include <string>

#include "app/ui/text_scale.h"

namespace glassformer::app {

class GlyphText;

/// The purpose of a text; every second role is bold. Em sizes in pixels at 100 %: small 13, body 15, title 17, big 20.
enum class FontRole { small, small_bold, body, body_bold, title, title_bold, big, big_bold };
inline constexpr int font_role_count = 8;

/// The fonts for one scale, all in one atlas. Within a font all digits have the same width, and so do plus and minus,
/// so that columns of numbers line up.
struct Fonts {
    std::array<ImFont*, font_role_count> font{};
    float scale = 1;
    std::string family;           ///< the font found: "Inter", "DejaVu Sans" or "ImGui default"
    std::string note;             ///< what is missing and which package to install; empty if nothing is
    GlyphText* glyphs = nullptr;  ///< draws the characters that these fonts lack; may be null

    ImFont* operator[](FontRole role) const { return font[static_cast<int>(role)]; }
};

/// Clears `atlas` and fills it for `scale` (glyphs are rasterised at their real size). Looks for fonts in the folder
/// GLASSFORMER_FONT_DIR, if set, then for the system's Inter, then DejaVu Sans, then uses ImGui's own font.
Fonts build_fonts(ImFontAtlas& atlas, float scale);

/// The range of scales for which build_fonts() makes fonts.
inline constexpr float least_font_scale = 0.5f, most_font_scale = 6.25f;

/// True if a role's text is bold.
inline bool is_bold(FontRole role) { return static_cast<int>(role) % 2 != 0; }

/// The font files, as build_fonts() finds them; empty strings where there is none.
struct FontFiles {
    std::string regular, bold;          ///< the text font
    std::string symbols, symbols_bold;  ///< for what the text font lacks
    float line_per_em = 0;              ///< of the text font; ImGui measures a font by its line height
    std::string family;
};
FontFiles find_fonts();

/// True if a character is drawn from these fonts: Latin, the Greek of formulas, symbols. Anything else in a file
/// (DejaVu's Hebrew, say, which Dear ImGui 1.92 would draw from left to right) is left to GlyphText.
bool is_for_fonts(char32_t point);

}  // namespace glassformer::app
