#include "app/ui/glyphs/system_glyphs.h"

#include <emscripten.h>
#include <hb.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <unordered_map>
#include <vector>

#include "app/ui/glyphs/web/canvas_face.h"

// clang-format off
// The width of a character in thousandths of an em.
EM_JS(int, glassformer_canvas_width, (int character, int bold), {
    const pen = Module.glyphPen(1000, bold);
    return Math.round(pen.measureText(String.fromCodePoint(character)).width);
});
// Draws a character; returns the place of four numbers (left, top, width, height) and the pixels, red first, as
// ImageData has them, or 0 where nothing is seen. Freed by the caller.
EM_JS(void*, glassformer_canvas_glyph, (int character, int bold, float em, int quarter), {
    const pen = Module.glyphPen(em, bold), text = String.fromCodePoint(character), size = pen.measureText(text);
    const left = Math.ceil(Math.max(0, size.actualBoundingBoxLeft)) + 1;
    const top = Math.ceil(Math.max(0, size.actualBoundingBoxAscent)) + 1;
    const width = left + Math.ceil(Math.max(0, size.actualBoundingBoxRight)) + 2;
    const height = top + Math.ceil(Math.max(0, size.actualBoundingBoxDescent)) + 1;
    if (width > pen.canvas.width || height > pen.canvas.height || width <= 3 || height <= 2) return 0;
    pen.clearRect(0, 0, width, height);
    pen.fillText(text, left + quarter / 4, top);
    const pixels = pen.getImageData(0, 0, width, height).data;
    const at = _malloc(16 + pixels.length);
    HEAP32.set([-left, top, width, height], at >> 2);
    HEAPU8.set(pixels, at + 16);
    return at;
});
// clang-format on

namespace glassformer::app {

namespace {

class CanvasGlyphs final : public SystemGlyphs {
public:
    explicit CanvasGlyphs(bool bold) : bold_(bold) {
        hb_font_funcs_t* functions = hb_font_funcs_create();
        hb_font_funcs_set_nominal_glyph_func(
            functions,
            [](hb_font_t*, void* self, hb_codepoint_t character, hb_codepoint_t* glyph, void*) -> hb_bool_t {
                *glyph = static_cast<CanvasGlyphs*>(self)->glyph_of(character);
                return *glyph != 0;
            },
            nullptr, nullptr);
        hb_font_funcs_set_glyph_h_advance_func(
            functions,
            [](hb_font_t*, void* self, hb_codepoint_t glyph, void*) -> hb_position_t {
                const auto* it = static_cast<CanvasGlyphs*>(self);
                return glyph < it->widths_.size() ? it->widths_[glyph] : 0;
            },
            nullptr, nullptr);
        shaped_ = hb_font_create(hb_face_get_empty());
        hb_font_set_scale(shaped_, 1000, 1000);
        hb_font_set_funcs(shaped_, functions, this, nullptr);
        hb_font_funcs_destroy(functions);
    }
    ~CanvasGlyphs() override { hb_font_destroy(shaped_); }
    CanvasGlyphs(const CanvasGlyphs&) = delete;
    CanvasGlyphs& operator=(const CanvasGlyphs&) = delete;

    hb_font_t* shaper() const override { return shaped_; }
    bool bold() const override { return bold_; }

    GlyphBitmap bitmap(const GlyphKey& key) const override {
        if (key.glyph == 0 || key.glyph >= characters_.size()) return {};
        const auto character = static_cast<int>(characters_[key.glyph]);
        void* drawn = glassformer_canvas_glyph(character, bold_ || key.bolder, key.em, key.quarter);
        if (!drawn) return {};
        const int* place = static_cast<const int*>(drawn);
        const auto* rgba = reinterpret_cast<const unsigned char*>(place + 4);
        GlyphBitmap glyph{place[0], place[1], place[2], place[3], false, {}};
        const int count = glyph.width * glyph.height;
        for (int i = 0; i < count; ++i)  // drawn in white; colours are the font's own
            glyph.coloured |= rgba[4 * i + 3] > 128 && std::min({rgba[4 * i], rgba[4 * i + 1], rgba[4 * i + 2]}) < 200;
        for (int i = 0; i < count; ++i, rgba += 4)
            glyph.pixels.push_back(glyph.coloured ? IM_COL32(rgba[0], rgba[1], rgba[2], rgba[3])
                                                  : IM_COL32(255, 255, 255, rgba[3]));
        std::free(drawn);
        return glyph;
    }

private:
    /// Glyphs are numbered as they are asked for: a glyph's number has 16 bits, a character more.
    hb_codepoint_t glyph_of(hb_codepoint_t character) {
        const auto [at, fresh] = glyphs_.try_emplace(character, 0);
        if (fresh && characters_.size() < 0xFFFF && canvas_has(static_cast<char32_t>(character))) {
            at->second = static_cast<hb_codepoint_t>(characters_.size());
            characters_.push_back(character);
            widths_.push_back(glassformer_canvas_width(static_cast<int>(character), bold_));
        }
        return at->second;
    }

    bool bold_;
    hb_font_t* shaped_ = nullptr;
    std::unordered_map<hb_codepoint_t, hb_codepoint_t> glyphs_;
    std::vector<hb_codepoint_t> characters_{0};
    std::vector<int> widths_{0};
};

}  // namespace

std::unique_ptr<SystemGlyphs> system_glyphs(const FontFace& face) {
    if (face.file != canvas_face(false).file) return nullptr;
    return std::make_unique<CanvasGlyphs>(face == canvas_face(true));
}

}  // namespace glassformer::app
