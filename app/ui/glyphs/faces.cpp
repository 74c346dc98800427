#include "app/ui/glyphs/faces.h"

#include <ft2build.h>
#include FT_FREETYPE_H
#include FT_OUTLINE_H
#include <hb-ot.h>
#include <hb.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "app/ui/glyphs/font_file.h"
#include "app/ui/glyphs/system_glyphs.h"

namespace glassformer::app {

namespace {

constexpr float bolder_by = 1.0f / 28;  // of an em

/// A bitmap glyph scaled by `times` (at most 1): each new pixel is the mean of the pixels it covers.
GlyphBitmap smaller(const FT_GlyphSlot slot, float times) {
    const FT_Bitmap& from = slot->bitmap;
    GlyphBitmap to;
    to.coloured = from.pixel_mode == FT_PIXEL_MODE_BGRA;
    to.left = static_cast<int>(std::lround(static_cast<float>(slot->bitmap_left) * times));
    to.top = static_cast<int>(std::lround(static_cast<float>(slot->bitmap_top) * times));
    to.width = std::max(1, static_cast<int>(std::lround(static_cast<float>(from.width) * times)));
    to.height = std::max(1, static_cast<int>(std::lround(static_cast<float>(from.rows) * times)));
    const int columns = static_cast<int>(from.width), rows = static_cast<int>(from.rows);
    for (int y = 0; y < to.height; ++y)
        for (int x = 0; x < to.width; ++x) {
            const int x0 = x * columns / to.width, x1 = std::max(x0 + 1, (x + 1) * columns / to.width);
            const int y0 = y * rows / to.height, y1 = std::max(y0 + 1, (y + 1) * rows / to.height);
            unsigned sum[4] = {};  // blue, green, red, alpha; colours are premultiplied
            for (int v = y0; v < std::min(y1, rows); ++v)
                for (int u = x0; u < std::min(x1, columns); ++u) {
                    const unsigned char* row = from.buffer + v * from.pitch;
                    if (to.coloured)
                        for (int c = 0; c < 4; ++c) sum[c] += row[4 * u + c];
                    else if (from.pixel_mode == FT_PIXEL_MODE_MONO)
                        sum[3] += row[u / 8] >> (7 - u % 8) & 1 ? 255 : 0;
                    else
                        sum[3] += row[u];
                }
            const unsigned count = static_cast<unsigned>((x1 - x0) * (y1 - y0)), alpha = sum[3] / count;
            const auto colour = [&](int c) {
                return to.coloured && sum[3] ? std::min(255u, sum[c] * 255 / sum[3]) : 255u;
            };
            to.pixels.push_back(IM_COL32(colour(2), colour(1), colour(0), alpha));
        }
    return to;
}

}  // namespace

struct Faces::Open {
    FontFace face;
    std::unique_ptr<SystemGlyphs> by_system;  // or, for a face from a file:
    FT_Face drawn = nullptr;
    hb_font_t* shaped = nullptr;
    unsigned units = 1000;

    Open(FT_Library library, FontFace its) : face(std::move(its)), by_system(system_glyphs(face)) {
        if (by_system) {
            shaped = hb_font_reference(by_system->shaper());
            return;
        }
        hb_blob_t* blob = font_blob(face.file);
        hb_face_t* its_face = hb_face_create(blob, static_cast<unsigned>(face.index & 0xFFFF));
        hb_blob_destroy(blob);
        units = std::max(1u, hb_face_get_upem(its_face));
        shaped = hb_font_create(its_face);
        hb_face_destroy(its_face);
        hb_ot_font_set_funcs(shaped);
        hb_font_set_scale(shaped, static_cast<int>(units), static_cast<int>(units));
        // The upper half of the index selects the named instance of a variable font.
        if (face.index >> 16) hb_font_set_var_named_instance(shaped, static_cast<unsigned>(face.index >> 16) - 1);
        drawn = open_face(library, face.file, face.index);
    }
    ~Open() {
        hb_font_destroy(shaped);
        if (drawn) FT_Done_Face(drawn);
    }
    Open(const Open&) = delete;
    Open& operator=(const Open&) = delete;
};

std::uint64_t GlyphKey::packed() const {
    const auto size = static_cast<std::uint64_t>(std::lround(em * 64));
    return static_cast<std::uint64_t>(face) << 48 | static_cast<std::uint64_t>(glyph & 0xFFFFu) << 28 |
           (size & 0xFFFFFu) << 8 | static_cast<std::uint64_t>(quarter & 3) << 1 | (bolder ? 1u : 0u);
}

Faces::Faces() {
    if (FT_Init_FreeType(&library_) != 0) library_ = nullptr;
}

Faces::~Faces() {
    open_.clear();
    if (library_) FT_Done_FreeType(library_);
}

int Faces::number_of(const FontFace& face) {
    const auto known = std::ranges::find_if(open_, [&](const auto& open) { return open->face == face; });
    if (known != open_.end()) return static_cast<int>(known - open_.begin());
    open_.push_back(std::make_unique<Open>(library_, face));
    return count() - 1;
}

const FontFace& Faces::face(int number) const { return open_[number]->face; }

void Faces::serve(std::uint32_t script, bool bold, int number) {
    std::vector<int>& faces = serving_[{script, bold}];
    if (std::ranges::find(faces, number) == faces.end()) faces.push_back(number);
}

bool Faces::has(int number, char32_t character) const {
    const Open& open = *open_[number];
    hb_codepoint_t glyph = 0;
    return (open.drawn || open.by_system) && hb_font_get_nominal_glyph(open.shaped, character, &glyph) && glyph != 0;
}

bool Faces::is_bold(int number) const {
    if (open_[number]->by_system) return open_[number]->by_system->bold();
    const FT_Face face = open_[number]->drawn;
    return face && (face->style_flags & FT_STYLE_FLAG_BOLD);
}

hb_font_t* Faces::shaper(int number) const { return open_[number]->shaped; }

float Faces::units_per_em(int number) const { return static_cast<float>(open_[number]->units); }

bool Faces::draws_words(int number) const { return open_[number]->by_system != nullptr; }

unsigned Faces::word_glyph(int number, const std::string& word) { return open_[number]->by_system->glyph_of(word); }

GlyphBitmap Faces::bitmap(const GlyphKey& key) const {
    if (const auto& by_system = open_[key.face]->by_system) return by_system->bitmap(key);
    const FT_Face face = open_[key.face]->drawn;
    if (!face) return {};
    if (!FT_IS_SCALABLE(face)) {  // bitmaps of a few sizes, such as emoji
        int best = -1;
        for (int i = 0; i < face->num_fixed_sizes; ++i) {
            const auto size = [&](int of) { return static_cast<float>(face->available_sizes[of].y_ppem) / 64; };
            const bool better =
                best < 0 || (size(best) < key.em ? size(i) > size(best) : size(i) >= key.em && size(i) < size(best));
            if (better) best = i;
        }
        if (best < 0 || FT_Select_Size(face, best) != 0 || FT_Load_Glyph(face, key.glyph, FT_LOAD_COLOR) != 0 ||
            FT_Render_Glyph(face->glyph, FT_RENDER_MODE_NORMAL) != 0)
            return {};
        return smaller(face->glyph,
                       std::min(1.0f, key.em * 64 / static_cast<float>(face->available_sizes[best].y_ppem)));
    }
    // Light hinting keeps vertical stems in place, so widths do not depend on the size, and sharpens horizontal ones.
    if (FT_Set_Char_Size(face, 0, static_cast<FT_F26Dot6>(std::lround(key.em * 64)), 72, 72) != 0 ||
        FT_Load_Glyph(face, key.glyph, FT_LOAD_NO_BITMAP | FT_LOAD_TARGET_LIGHT | FT_LOAD_COLOR) != 0)
        return {};
    const FT_GlyphSlot slot = face->glyph;
    if (slot->format == FT_GLYPH_FORMAT_OUTLINE) {
        if (key.bolder) FT_Outline_Embolden(&slot->outline, static_cast<FT_Pos>(key.em * 64 * bolder_by));
        FT_Outline_Translate(&slot->outline, key.quarter * 16, 0);
    }
    if (FT_Render_Glyph(slot, FT_RENDER_MODE_NORMAL) != 0 || slot->bitmap.width == 0 || slot->bitmap.rows == 0)
        return {};
    return smaller(slot, 1);
}

}  // namespace glassformer::app
