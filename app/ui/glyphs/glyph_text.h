#pragma once

#include <imgui.h>

#include <array>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "app/ui/fonts.h"
#include "app/ui/glyphs/faces.h"
#include "app/ui/glyphs/font_finder.h"
#include "app/ui/glyphs/glyph_pages.h"
#include "app/ui/glyphs/text_line.h"

namespace glassformer::app {

/// How much work a frame may do, so that none takes long: what is left appears in the next.
struct GlyphBudget {
    int glyphs = 200;         ///< drawn for the first time
    int characters = 20'000;  ///< put into lines for the first time
};

/// Text that ImGui's own font does not have: other scripts, joined and marked letters, words from right to left. Faces
/// come from the window's fonts and then from the system, pictures of glyphs are made when they are first seen. Needs a
/// current OpenGL context while it draws, and when it ends.
class GlyphText {
public:
    /// `waits`: everything is there in the first frame, whatever it takes, for pictures without a window.
    explicit GlyphText(bool waits, FontFinder::Find find = find_system_font, GlyphBudget budget = {});

    /// Once a frame, with the fonts of the frame.
    void begin_frame(const Fonts& fonts);

    /// The line of a text, or null where ImGui's own font has it all. It lives until the next frame begins.
    const TextLine* line(FontRole role, std::string_view text);
    /// Draws a line with its top left corner at `at`. Glyphs outside of `clip` are not made.
    void draw(ImDrawList& list, FontRole role, const TextLine& line, ImVec2 at, ImU32 colour, const ImVec4& clip);

    /// Something of the last frame is not there yet: draw another.
    bool waiting() const { return waiting_ || finder_.looking(); }

    /// A piece that was drawn in this frame, for whoever reads the frame back: which corners are its glyphs'.
    struct Drawn {
        const ImDrawList* list = nullptr;
        int first = 0, last = 0;  ///< of the list's corners, half open
        const TextPiece* piece = nullptr;
        FontFace face;
        float em = 0;
        bool bolder = false;
        ImVec2 from_corner;  ///< from the first glyph's corner to where the piece begins on the baseline
    };
    std::span<const Drawn> drawn() const { return drawn_; }
    bool owns(ImTextureID texture) const { return pages_.owns(texture); }
    const FontFace& face_of(const TextPiece& shaped) const { return faces_.face(shaped.face); }

    int pages() const { return pages_.pages(); }
    int glyphs() const { return pages_.glyphs(); }
    int made_in_frame() const { return made_; }  ///< glyphs drawn for the first time

private:
    struct Kept {
        TextLine line;
        std::int64_t used = 0;
    };
    struct TextHash {
        using is_transparent = void;
        std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
    };
    LineFont line_font(FontRole role) const;
    TextLine rough_line(FontRole role, std::string_view text) const;
    void draw_glyphs(ImDrawList& list, const LineFont& font, const TextPiece& piece, ImVec2 origin, ImU32 colour,
                     const ImVec4& clip);
    void draw_unknown(ImDrawList& list, const LineFont& font, const TextPiece& piece, ImVec2 at, ImU32 colour,
                      const ImVec4& clip);

    bool waits_;
    GlyphBudget budget_;
    Fonts fonts_;
    std::array<float, font_role_count> em_{};
    std::array<std::vector<int>, 2> first_faces_;  // of plain and of bold text
    Faces faces_;
    FontFinder finder_;
    GlyphPages pages_;
    std::array<std::unordered_map<std::string, Kept, TextHash, std::equal_to<>>, font_role_count> lines_;
    std::deque<TextLine> rough_;  // of this frame
    std::vector<Drawn> drawn_;
    std::int64_t frame_ = 0;
    int made_ = 0, characters_ = 0;
    bool waiting_ = false;
};

}  // namespace glassformer::app
