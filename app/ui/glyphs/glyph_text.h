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

/// How much work one frame may do, so that none takes long; the rest appears in the next frames.
struct GlyphBudget {
    int glyphs = 200;         ///< rasterised for the first time
    int characters = 20'000;  ///< laid out for the first time
};

/// Text that ImGui's own font lacks: other scripts, joined letters, combining marks, right-to-left words. Faces come
/// from the window's fonts, then from the system; glyphs are rasterised when first seen. Needs a current OpenGL context
/// while drawing and for the destructor.
class GlyphText {
public:
    /// `waits`: everything is complete in the first frame, however long it takes; for pictures without a window.
    explicit GlyphText(bool waits, FontFinder::Find find = find_system_font, GlyphBudget budget = {});

    /// Call this once per frame, with the frame's fonts.
    void begin_frame(const Fonts& fonts);

    /// The layout of a text, or null if ImGui's own font has all of it. Valid until the next begin_frame().
    const TextLine* line(FontRole role, std::string_view text);
    /// Draws a line with its top left corner at `at`. Glyphs outside `clip` are not rasterised.
    void draw(ImDrawList& list, FontRole role, const TextLine& line, ImVec2 at, ImU32 colour, const ImVec4& clip);

    /// True if something was missing in the last frame: draw another.
    bool waiting() const { return waiting_ || finder_.looking(); }

    /// A piece drawn in this frame, for code that reads the frame back: which vertices are its glyphs.
    struct Drawn {
        const ImDrawList* list = nullptr;
        int first = 0, last = 0;  ///< the list's vertices, half-open
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
    int made_in_frame() const { return made_; }  ///< glyphs rasterised for the first time

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
    std::array<std::vector<int>, 2> first_faces_;  // for regular and for bold text
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
