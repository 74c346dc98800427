#pragma once

#include <memory>
#include <string>

#include "app/ui/glyphs/faces.h"

namespace glassformer::app {

/// A face that the system rasterises itself, without giving a file: in a web page, the browser's own fonts.
class SystemGlyphs {
public:
    virtual ~SystemGlyphs() = default;

    /// For HarfBuzz. Owned by this.
    virtual hb_font_t* shaper() const = 0;
    virtual bool bold() const = 0;
    /// The glyph of a text drawn as one, such as an Arabic word: here the system joins the letters, as HarfBuzz cannot.
    /// 0 if there are too many glyphs.
    virtual unsigned glyph_of(const std::string& text) = 0;
    virtual GlyphBitmap bitmap(const GlyphKey& key) const = 0;
};

/// Null for a face of a file.
std::unique_ptr<SystemGlyphs> system_glyphs(const FontFace& face);

}  // namespace glassformer::app
