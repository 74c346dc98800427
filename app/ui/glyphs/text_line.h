#pragma once

#include <imgui.h>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/ui/glyphs/faces.h"
#include "app/ui/glyphs/font_finder.h"

namespace glassformer::app {

/// Font scale of the code shown for a character that no font has.
inline constexpr float unknown_scale = 0.62f;

/// A glyph and its origin: to the right of its piece's left end, and above the baseline.
struct PlacedGlyph {
    unsigned glyph = 0;
    float x = 0, up = 0;
    float width = 0;  ///< its advance
};

/// A part of a line that is drawn in one way.
struct TextPiece {
    enum class Kind {
        atlas,    ///< letters of ImGui's own font
        shaped,   ///< glyphs of a face
        unknown,  ///< one character that no font has: its code in a box
        awaited,  ///< the system has not answered yet
    };
    Kind kind = Kind::atlas;
    std::string text;  ///< in reading order; for an unknown character its code, such as "1F9FF"
    float x = 0, width = 0;
    bool right_to_left = false;
    int face = -1;
    std::vector<PlacedGlyph> glyphs;
    std::vector<std::size_t> clusters;  ///< for each glyph: where its characters begin in `text`
};

/// What a reader sees as one character (a grapheme): its bytes and its place in the line.
struct TextStop {
    std::size_t begin = 0, end = 0;
    float left = 0, right = 0;
    bool right_to_left = false;
    float width() const { return right - left; }
};

/// The layout of one line of text.
struct TextLine {
    std::vector<TextPiece> pieces;  ///< from left to right
    std::vector<TextStop> stops;    ///< in reading order
    float width = 0;
    bool right_to_left = false;  ///< begins at its right end
    bool complete = true;        ///< no piece is awaited
};

/// The fonts for a line.
struct LineFont {
    ImFont* font = nullptr;
    float em = 0;  ///< in pixels
    bool bold = false;
    std::span<const int> first;  ///< faces tried before asking the system
};

/// True if ImGui's own font has every character of a text.
bool atlas_has(ImFont& font, std::string_view text);

/// Lays out a line: in visual order (FriBidi), with each script's joining and marks (HarfBuzz). A byte of invalid UTF-8
/// appears as ⟨E5⟩.
TextLine text_line(std::string_view text, const LineFont& font, Faces& faces, FontFinder& finder);

}  // namespace glassformer::app
