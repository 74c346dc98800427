#pragma once

#include <imgui.h>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "app/ui/glyphs/font_finder.h"

struct FT_FaceRec_;
struct FT_LibraryRec_;
struct hb_font_t;

namespace glassformer::app {

/// The bitmap of a glyph at one size.
struct GlyphBitmap {
    int left = 0, top = 0;  ///< of its corner, relative to the glyph's origin: right and up
    int width = 0, height = 0;
    bool coloured = false;      ///< else white, with the glyph in the alpha channel
    std::vector<ImU32> pixels;  ///< row by row
};

/// Identifies a glyph's bitmap.
struct GlyphKey {
    int face = 0;  ///< its number in Faces
    unsigned glyph = 0;
    float em = 0;         ///< pixels
    int quarter = 0;      ///< the origin's offset to the right of a whole pixel, in quarters of a pixel
    bool bolder = false;  ///< emboldened, for a face without a bold

    std::uint64_t packed() const;
};

/// The faces used for shaping, opened on first use and kept open. A file that cannot be read counts as a font without
/// characters.
class Faces {
public:
    Faces();
    ~Faces();
    Faces(const Faces&) = delete;
    Faces& operator=(const Faces&) = delete;

    /// The number of a face; adds the face if it is new.
    int number_of(const FontFace& face);
    const FontFace& face(int number) const;
    int count() const { return static_cast<int>(open_.size()); }

    /// The faces found for characters of a script, which are tried for its other characters too.
    const std::vector<int>& serving(std::uint32_t script, bool bold) { return serving_[{script, bold}]; }
    void serve(std::uint32_t script, bool bold, int number);

    bool has(int number, char32_t character) const;
    bool is_bold(int number) const;
    /// In the font's own units, units_per_em() to the em.
    hb_font_t* shaper(int number) const;
    float units_per_em(int number) const;
    /// True if shaper() knows only single characters; then a word whose letters change with their neighbours is a
    /// single glyph, word_glyph().
    bool draws_words(int number) const;
    unsigned word_glyph(int number, const std::string& word);
    GlyphBitmap bitmap(const GlyphKey& key) const;

private:
    struct Open;
    FT_LibraryRec_* library_ = nullptr;
    std::vector<std::unique_ptr<Open>> open_;
    std::map<std::pair<std::uint32_t, bool>, std::vector<int>> serving_;
};

}  // namespace glassformer::app
