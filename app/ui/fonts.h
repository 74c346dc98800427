#pragma once

#include <imgui.h>

#include <array>
#include <string>

namespace glassformer::app {

class GlyphText;

/// What a text is for. Sizes at 100 %: small 13, body 15, title 17, big 20 (em size in pixels).
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

/// Clears `atlas` and fills it for `scale` (0.5 to 6.25; pixels are rasterised at their real size). Fonts come from the
/// folder GLASSFORMER_FONT_DIR, if set, then from the system's Inter, then DejaVu Sans, then ImGui's own font.
Fonts build_fonts(ImFontAtlas& atlas, float scale);

/// Whether a character is one of those that these fonts are for: Latin, the Greek of formulas, marks. What else a file
/// has (DejaVu's Hebrew, which Dear ImGui 1.92 would draw from the left) is GlyphText's.
bool is_for_fonts(char32_t point);

}  // namespace glassformer::app
