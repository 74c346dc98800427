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

/// How large the code of a character that no font has is written.
inline constexpr float unknown_scale = 0.62f;

/// A glyph and where its origin stands: right of its piece's left end, and above the baseline.
struct PlacedGlyph {
    unsigned glyph = 0;
    float x = 0, up = 0;
    float width = 0;  ///< to the next one
};

/// A stretch of a line that is drawn in one way.
struct TextPiece {
    enum class Kind {
        atlas,    ///< letters of ImGui's own font
        shaped,   ///< glyphs of a face
        unknown,  ///< one character that no font has: its code in a box
        awaited,  ///< the system is still asked for a font
    };
    Kind kind = Kind::atlas;
    std::string text;  ///< in reading order; of an unknown one its code, such as "1F9FF"
    float x = 0, width = 0;
    bool right_to_left = false;
    int face = -1;
    std::vector<PlacedGlyph> glyphs;
    std::vector<std::size_t> clusters;  ///< of each glyph: where its characters begin in `text`
};

/// What a person sees as one character: its bytes and its place in the line.
struct TextStop {
    std::size_t begin = 0, end = 0;
    float left = 0, right = 0;
    bool right_to_left = false;
    float width() const { return right - left; }
};

/// A line of text as it is on the screen.
struct TextLine {
    std::vector<TextPiece> pieces;  ///< from left to right
    std::vector<TextStop> stops;    ///< in reading order
    float width = 0;
    bool right_to_left = false;  ///< begins at the right
    bool complete = true;        ///< no piece is awaited
};

/// What a line is written in.
struct LineFont {
    ImFont* font = nullptr;
    float em = 0;  ///< in pixels
    bool bold = false;
    std::span<const int> first;  ///< faces that are asked before the system
};

/// Whether ImGui's own font has all of a text, and it runs from left to right.
bool atlas_has(ImFont& font, std::string_view text);

/// Whether a text runs from right to left: more of its letters do than do not. So a sentence in Hebrew with an English
/// word in it begins at the right, and an English one that quotes a Hebrew word begins at the left. A line with an
/// arrow in it is one of ours and begins at the left, since the arrow tells the order of the words beside it.
bool runs_right_to_left(std::string_view text);

/// Puts a line together: in the order in which it is read (FriBidi), with each script's own joins and marks (HarfBuzz).
/// A byte that is part of no character stands as ⟨E5⟩.
TextLine text_line(std::string_view text, const LineFont& font, Faces& faces, FontFinder& finder);

}  // namespace glassformer::app
