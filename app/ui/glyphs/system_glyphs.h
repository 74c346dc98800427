#pragma once

#include <memory>
#include <string>

#include "app/ui/glyphs/faces.h"

namespace glassformer::app {

/// A face whose glyphs the system draws itself and gives no file of: in a page the browser's own fonts.
class SystemGlyphs {
public:
    virtual ~SystemGlyphs() = default;

    /// For HarfBuzz; lives as long as this.
    virtual hb_font_t* shaper() const = 0;
    virtual bool bold() const = 0;
    /// The glyph of a text that is drawn as one, such as an Arabic word: the system joins its letters, and HarfBuzz
    /// cannot. 0: there are too many.
    virtual unsigned glyph_of(const std::string& text) = 0;
    virtual GlyphBitmap bitmap(const GlyphKey& key) const = 0;
};

/// Null for a face of a file.
std::unique_ptr<SystemGlyphs> system_glyphs(const FontFace& face);

}  // namespace glassformer::app
