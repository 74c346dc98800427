#include "app/ui/glyphs/system_glyphs.h"

#include <emscripten.h>
#include <hb.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <unordered_map>
#include <vector>

#include "app/ui/glyphs/web/canvas_face.h"
#include "core/text/utf8.h"

// clang-format off
// The width of a text in thousandths of an em.
EM_JS(int, glassformer_canvas_width, (const char* text, int bold), {
    return Math.round(Module.glyphPen(1000, bold).measureText(UTF8ToString(text)).width);
});
// Draws a text; returns the address of four numbers (left, top, width, height) followed by the RGBA pixels, as in
// ImageData, or 0 if nothing is visible. The caller must free it.
EM_JS(void*, glassformer_canvas_glyph, (const char* utf8, int bold, float em, int quarter), {
    const pen = Module.glyphPen(em, bold), text = UTF8ToString(utf8), size = pen.measureText(text);
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
                const auto point = static_cast<char32_t>(character);
                *glyph = canvas_has(point) ? static_cast<CanvasGlyphs*>(self)->glyph_of(to_utf8({&point, 1})) : 0;
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
        hb_face_t* face = hb_face_create(hb_blob_get_empty(), 0);  // with hb_face_get_empty() nothing is shaped
        shaped_ = hb_font_create(face);
        hb_face_destroy(face);
        hb_font_set_scale(shaped_, 1000, 1000);
        hb_font_set_funcs(shaped_, functions, this, nullptr);
        hb_font_funcs_destroy(functions);
    }
    ~CanvasGlyphs() override { hb_font_destroy(shaped_); }
    CanvasGlyphs(const CanvasGlyphs&) = delete;
    CanvasGlyphs& operator=(const CanvasGlyphs&) = delete;

    hb_font_t* shaper() const override { return shaped_; }
    bool bold() const override { return bold_; }

    unsigned glyph_of(const std::string& text) override {
        const auto [at, fresh] = glyphs_.try_emplace(text, 0);
        if (fresh && texts_.size() < 0xFFFF) {
            at->second = static_cast<unsigned>(texts_.size());
            texts_.push_back(text);
            widths_.push_back(glassformer_canvas_width(text.c_str(), bold_));
        }
        return at->second;
    }

    GlyphBitmap bitmap(const GlyphKey& key) const override {
        if (key.glyph == 0 || key.glyph >= texts_.size()) return {};
        void* drawn = glassformer_canvas_glyph(texts_[key.glyph].c_str(), bold_ || key.bolder, key.em, key.quarter);
        if (!drawn) return {};
        const int* place = static_cast<const int*>(drawn);
        const auto* rgba = reinterpret_cast<const unsigned char*>(place + 4);
        GlyphBitmap glyph{place[0], place[1], place[2], place[3], false, {}};
        const int count = glyph.width * glyph.height;
        for (int i = 0; i < count; ++i)  // drawn in white: any other colour is the font's own
            glyph.coloured |= rgba[4 * i + 3] > 128 && std::min({rgba[4 * i], rgba[4 * i + 1], rgba[4 * i + 2]}) < 200;
        for (int i = 0; i < count; ++i, rgba += 4)
            glyph.pixels.push_back(glyph.coloured ? IM_COL32(rgba[0], rgba[1], rgba[2], rgba[3])
                                                  : IM_COL32(255, 255, 255, rgba[3]));
        std::free(drawn);
        return glyph;
    }

private:
    bool bold_;
    hb_font_t* shaped_ = nullptr;
    // Glyphs are numbered in the order of requests: a glyph's number has 16 bits.
    std::unordered_map<std::string, unsigned> glyphs_;
    std::vector<std::string> texts_{""};
    std::vector<int> widths_{0};
};

}  // namespace

std::unique_ptr<SystemGlyphs> system_glyphs(const FontFace& face) {
    if (face.file != canvas_face(false).file) return nullptr;
    return std::make_unique<CanvasGlyphs>(face == canvas_face(true));
}

}  // namespace glassformer::app
