#include "app/ui/fonts.h"

#include <doctest/doctest.h>

#include <cmath>

#include "app/ui/draw.h"
#include "app/ui/imgui_versions.h"
#include "tests/core/set_variable.h"
#include "tests/ui/harness.h"

using namespace glassformer::app;

namespace {

void check_tabular(ImFont& font) {
    const float digit = glyphs_of(font).GetCharAdvance('0');
    for (ImWchar c = '0'; c <= '9'; ++c) {
        CAPTURE(c);
        CHECK(glyphs_of(font).GetCharAdvance(c) == digit);
        CHECK(glyphs_of(font).FindGlyph(c)->AdvanceX == digit);
    }
    CHECK(glyphs_of(font).GetCharAdvance('+') == glyphs_of(font).GetCharAdvance(0x2212));
    const auto width = [&](const char* text) { return font.CalcTextSizeA(font_size(font), 1e9f, 0, text).x; };
    CHECK(width("1111.11") == doctest::Approx(width("8064.97")));
    CHECK(width("+1.08") == doctest::Approx(width("−7.42")));
}

}  // namespace

TEST_CASE("digits have the same width in every font, at every scale") {
    for (float scale : {0.75f, 1.0f, 1.5f, 2.0f, 4.0f}) {
        ImFontAtlas atlas;
        const Fonts fonts = build_fonts(atlas, scale);
        CAPTURE(scale);
        for (ImFont* font : fonts.font) check_tabular(*font);
    }
}

TEST_CASE("200 % is twice 100 %") {
    ImFontAtlas one, two;
    const Fonts small = build_fonts(one, 1), large = build_fonts(two, 2);
    for (int role = 0; role < font_role_count; ++role) {
        CHECK(font_size(*large.font[role]) == doctest::Approx(2 * font_size(*small.font[role])).epsilon(0.04));
        CHECK(font_size(*small.font[role]) >= 13);
    }
}

TEST_CASE("every symbol that the program uses has a glyph") {
    ImFontAtlas atlas;
    const Fonts fonts = build_fonts(atlas, 1);
    if (fonts.family != "Inter" || !fonts.note.empty()) return;  // the font packages are not installed
    const std::u16string symbols = u"√Σ·−÷×μσγβεᵀ→←↑↓▶■□▢∞≥≤≈…–—’“”▾▸●○½²₀₁₂₃₄₅₆₇₈₉∂∇⟳↺✓✕⌫⏎éœłŐß";
    for (ImFont* font : fonts.font) {
        for (char16_t c : symbols) {
            CAPTURE(static_cast<int>(c));
            CHECK(glyphs_of(*font).FindGlyphNoFallback(c) != nullptr);
        }
    }
}

TEST_CASE("a custom font folder that does not exist falls back to the default fonts") {
    const glassformer::SetVariable folder("GLASSFORMER_FONT_DIR", "/nonexistent");
    ImFontAtlas atlas;
    const Fonts fonts = build_fonts(atlas, 1);
    CHECK(fonts.font[0] != nullptr);
}

TEST_CASE("the scale can change between frames") {
    Screen screen;
    screen.frame();
    const float before = screen.host.ui().line(FontRole::body);
    screen.host.set_scale(2);
    screen.frame();
    screen.frame();
    CHECK(screen.host.ui().line(FontRole::body) == doctest::Approx(2 * before).epsilon(0.04));
    screen.host.set_scale(9);
    CHECK(screen.host.scale() == 2);
}

TEST_CASE("signed numbers use a real minus sign and have no negative zero") {
    CHECK(draw::signed_number(0.42) == "+0.42");
    CHECK(draw::signed_number(-1.081, 3) == "−1.081");
    CHECK(draw::signed_number(-0.001) == "+0.00");
    CHECK(draw::signed_number(std::nan("")) == "NaN");
}
