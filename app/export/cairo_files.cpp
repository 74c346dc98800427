#include <cairo-ft.h>
#include <cairo-pdf.h>
#include <cairo.h>
#include <ft2build.h>
#include <hb.h>
#include FT_FREETYPE_H

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <tuple>

#include "app/export/picture_files.h"
#include "app/ui/fonts.h"
#include "app/ui/glyphs/font_file.h"
#include "core/base/error.h"
#include "core/base/mark_text.h"
#include "core/text/utf8.h"

namespace glassformer::app {

namespace {

constexpr double points_per_pixel = 0.75;  // a pixel is 1/96 inch, a point 1/72
constexpr int largest_side = 16384;

template <auto end>
struct Ended {
    template <class T>
    void operator()(T* it) const {
        end(it);
    }
};
using CairoSurface = std::unique_ptr<cairo_surface_t, Ended<cairo_surface_destroy>>;
using Context = std::unique_ptr<cairo_t, Ended<cairo_destroy>>;
using Pattern = std::unique_ptr<cairo_pattern_t, Ended<cairo_pattern_destroy>>;

/// Returns a face's tabular figures (digits of equal width), or the default digits if it has none.
std::array<unsigned, 10> tabular_digits(const std::string& file) {
    const auto blob = std::unique_ptr<hb_blob_t, Ended<hb_blob_destroy>>(font_blob(file));
    const auto face = std::unique_ptr<hb_face_t, Ended<hb_face_destroy>>(hb_face_create(blob.get(), 0));
    const auto font = std::unique_ptr<hb_font_t, Ended<hb_font_destroy>>(hb_font_create(face.get()));
    const auto text = std::unique_ptr<hb_buffer_t, Ended<hb_buffer_destroy>>(hb_buffer_create());
    constexpr hb_feature_t tabular{HB_TAG('t', 'n', 'u', 'm'), 1, HB_FEATURE_GLOBAL_START, HB_FEATURE_GLOBAL_END};
    hb_buffer_add_utf8(text.get(), "0123456789", -1, 0, -1);
    hb_buffer_guess_segment_properties(text.get());
    hb_shape(font.get(), text.get(), &tabular, 1);
    std::array<unsigned, 10> shapes{};
    unsigned count = 0;
    const hb_glyph_info_t* const found = hb_buffer_get_glyph_infos(text.get(), &count);
    if (count == shapes.size())
        std::ranges::transform(found, found + count, shapes.begin(), &hb_glyph_info_t::codepoint);
    return shapes;
}

/// The faces of the window's text: regular and bold, with a fallback face for each. Their digits all have the same
/// width, as in the window; otherwise, a program that reads the page would take the gap beside a narrow 1 for a space.
/// One instance for the whole program: cairo caches a face's glyphs under the face's address even after the face has
/// ended, and would reuse them for another face at the same address.
class TextFaces {
public:
    TextFaces() {
        if (FT_Init_FreeType(&library_) != 0) throw Error("the fonts cannot be read: FreeType did not start");
        // In a Windows program, a statically linked cairo creates its locks with a pattern, but not with a face.
        cairo_pattern_destroy(cairo_pattern_create_rgb(0, 0, 0));
        const FontFiles files = find_fonts();
        const std::array<const std::string*, 4> paths{&files.regular, &files.bold, &files.symbols, &files.symbols_bold};
        for (std::size_t i = 0; i < paths.size(); ++i) {
            faces_[i] = open_face(library_, *paths[i], 0);
            if (!faces_[i]) continue;
            cairo_[i] = cairo_ft_font_face_create_for_ft_face(faces_[i], FT_LOAD_NO_HINTING);
            digits_[i] = tabular_digits(*paths[i]);
        }
    }
    ~TextFaces() {
        for (auto& [file, other] : others_) {
            if (other.cairo) cairo_font_face_destroy(other.cairo);
            if (other.face) FT_Done_Face(other.face);
        }
        for (cairo_font_face_t* face : cairo_)
            if (face) cairo_font_face_destroy(face);
        for (const FT_Face face : faces_)
            if (face) FT_Done_Face(face);
        FT_Done_FreeType(library_);
    }
    TextFaces(const TextFaces&) = delete;
    TextFaces& operator=(const TextFaces&) = delete;

    struct Shape {
        cairo_font_face_t* face = nullptr;  ///< null if no face has the letter
        unsigned long glyph = 0;
        float width = 0;  ///< the glyph's own width, in em
    };
    Shape of(char32_t letter, bool bold) const {
        for (const std::size_t i : {std::size_t{bold}, std::size_t{2} + bold}) {
            if (!faces_[i]) continue;
            const unsigned digit = letter >= '0' && letter <= '9' ? digits_[i][letter - '0'] : 0;
            const FT_UInt glyph = digit ? digit : FT_Get_Char_Index(faces_[i], letter);
            if (!glyph) continue;
            const bool read = FT_Load_Glyph(faces_[i], glyph, FT_LOAD_NO_SCALE) == 0;
            return {cairo_[i], glyph,
                    read ? static_cast<float>(faces_[i]->glyph->metrics.horiAdvance) /
                               static_cast<float>(faces_[i]->units_per_EM)
                         : 0};
        }
        return {};
    }

    /// Returns a face of another script; null if its file cannot be read.
    cairo_font_face_t* of_file(const FontFace& face, bool bolder) const {
        const auto [entry, fresh] = others_.try_emplace({face.file, face.index, bolder});
        Other& other = entry->second;
        if (fresh) other.face = open_face(library_, face.file, face.index);
        if (!fresh || !other.face) return other.cairo;
        other.cairo = cairo_ft_font_face_create_for_ft_face(other.face, FT_LOAD_NO_HINTING);
        if (bolder) cairo_ft_font_face_set_synthesize(other.cairo, CAIRO_FT_SYNTHESIZE_BOLD);
        return other.cairo;
    }

private:
    struct Other {
        FT_Face face = nullptr;
        cairo_font_face_t* cairo = nullptr;
    };
    FT_Library library_ = nullptr;
    std::array<FT_Face, 4> faces_{};
    std::array<cairo_font_face_t*, 4> cairo_{};
    std::array<std::array<unsigned, 10>, 4> digits_{};
    mutable std::map<std::tuple<std::string, long, bool>, Other> others_;
};

/// Gives access to the faces to one picture at a time: FreeType's faces are not thread-safe.
class FacesInUse {
public:
    FacesInUse() : lock_(mutex()) {
        static const TextFaces all;
        faces_ = &all;
    }
    const TextFaces& faces() const { return *faces_; }

private:
    static std::mutex& mutex() {
        static std::mutex one;
        return one;
    }

    std::lock_guard<std::mutex> lock_;
    const TextFaces* faces_ = nullptr;
};

class CairoWriter {
public:
    CairoWriter(cairo_t* to, const TextFaces& faces) : to_(to), faces_(faces) {}

    void write(const Drawing& drawing) {
        cairo_set_source_rgb(to_, 1, 1, 1);
        cairo_paint(to_);
        for (const Drawing::Shape& shape : drawing.shapes) {
            cairo_save(to_);
            cairo_rectangle(to_, shape.clip.min.x, shape.clip.min.y, shape.clip.width(), shape.clip.height());
            cairo_clip(to_);
            std::visit([&](const auto& what) { draw(what); }, shape.what);
            cairo_restore(to_);
        }
    }

private:
    static double part(ImU32 colour, int shift) { return (colour >> shift & 0xff) / 255.0; }
    void paint_in(ImU32 c) {
        cairo_set_source_rgba(to_, part(c, IM_COL32_R_SHIFT), part(c, IM_COL32_G_SHIFT), part(c, IM_COL32_B_SHIFT),
                              part(c, IM_COL32_A_SHIFT));
    }
    void follow(const std::vector<ImVec2>& points) {
        for (const ImVec2 p : points) cairo_line_to(to_, p.x, p.y);
    }

    void draw(const Drawing::Polygon& polygon) {
        follow(polygon.points);
        cairo_close_path(to_);
        paint_in(polygon.colour);
        cairo_fill(to_);
    }

    void draw(const Drawing::Line& line) {
        follow(line.points);
        cairo_set_line_width(to_, line.width);
        cairo_set_line_join(to_, CAIRO_LINE_JOIN_ROUND);
        paint_in(line.colour);
        cairo_stroke(to_);
    }

    void draw(const Drawing::Gradient& g) {
        const Pattern pattern(cairo_pattern_create_linear(g.box.min.x, 0, g.box.max.x, 0));
        for (const int end : {0, 1}) {
            const ImU32 c = end ? g.right : g.left;
            cairo_pattern_add_color_stop_rgba(pattern.get(), end, part(c, IM_COL32_R_SHIFT), part(c, IM_COL32_G_SHIFT),
                                              part(c, IM_COL32_B_SHIFT), part(c, IM_COL32_A_SHIFT));
        }
        cairo_rectangle(to_, g.box.min.x, g.box.min.y, g.box.width(), g.box.height());
        cairo_set_source(to_, pattern.get());
        cairo_fill(to_);
    }

    /// Centres a letter in its place.
    static float centring(const Drawing::Text& text, std::size_t i, float width) {
        const float place = (i + 1 < text.along.size() ? text.along[i + 1] : text.end) - text.along[i];
        return (place - text.em * width) / 2;
    }

    /// Draws each letter where it is on screen, with its character, so that programs can find the words.
    void draw(const Drawing::Text& text) {
        cairo_translate(to_, text.at.x, text.at.y);
        cairo_rotate(to_, text.angle);
        cairo_set_font_size(to_, text.em);
        paint_in(text.colour);
        for (std::size_t from = 0; from < text.letters.size();) {
            cairo_font_face_t* const face = faces_.of(text.letters[from], text.bold).face;
            std::vector<cairo_glyph_t> glyphs;
            std::vector<cairo_text_cluster_t> clusters;
            std::string letters;
            for (; from < text.letters.size(); ++from) {
                const auto [its, glyph, width] = faces_.of(text.letters[from], text.bold);
                if (its != face) break;
                const std::string letter = to_utf8({&text.letters[from], 1});
                glyphs.push_back({glyph, text.along[from] + centring(text, from, width), 0});
                clusters.push_back({static_cast<int>(letter.size()), 1});
                letters += letter;
            }
            if (!face) continue;
            cairo_set_font_face(to_, face);
            cairo_show_text_glyphs(to_, letters.data(), static_cast<int>(letters.size()), glyphs.data(),
                                   static_cast<int>(glyphs.size()), clusters.data(), static_cast<int>(clusters.size()),
                                   cairo_text_cluster_flags_t{});
        }
    }

    /// Draws glyph by glyph, with the characters that each cluster stands for.
    void draw(const Drawing::Run& run) {
        cairo_font_face_t* const face = faces_.of_file(run.face, run.bolder);
        if (!face) return;
        cairo_translate(to_, run.at.x, run.at.y);
        cairo_rotate(to_, run.angle);
        cairo_set_font_face(to_, face);
        cairo_set_font_size(to_, run.em);
        paint_in(run.colour);
        const TextPiece& piece = run.piece;
        std::vector<cairo_glyph_t> glyphs;
        std::vector<std::pair<std::size_t, int>> groups;  // start of its characters, and number of glyphs
        for (std::size_t i = 0; i < piece.glyphs.size(); ++i) {
            const PlacedGlyph& glyph = piece.glyphs[i];
            glyphs.push_back({glyph.glyph, glyph.x, -glyph.up});
            if (groups.empty() || groups.back().first != piece.clusters[i])
                groups.emplace_back(piece.clusters[i], 1);
            else
                ++groups.back().second;
        }
        if (piece.right_to_left) std::ranges::reverse(groups);
        std::vector<cairo_text_cluster_t> clusters;
        for (std::size_t i = 0; i < groups.size(); ++i) {
            const std::size_t end = i + 1 < groups.size() ? groups[i + 1].first : piece.text.size();
            clusters.push_back({static_cast<int>(end - groups[i].first), groups[i].second});
        }
        cairo_show_text_glyphs(to_, piece.text.data(), static_cast<int>(piece.text.size()), glyphs.data(),
                               static_cast<int>(glyphs.size()), clusters.data(), static_cast<int>(clusters.size()),
                               piece.right_to_left ? CAIRO_TEXT_CLUSTER_FLAG_BACKWARD : cairo_text_cluster_flags_t{});
    }

    void draw(const Drawing::Picture& p) {
        const CairoSurface cells(cairo_image_surface_create(CAIRO_FORMAT_ARGB32, p.columns, p.rows));
        unsigned char* const data = cairo_image_surface_get_data(cells.get());
        if (!data) throw Error("there is not enough memory for a part of the picture");
        cairo_surface_flush(cells.get());
        const int stride = cairo_image_surface_get_stride(cells.get());
        for (int y = 0; y < p.rows; ++y)
            for (int x = 0; x < p.columns; ++x) {
                const ImU32 c = p.pixels[y * p.columns + x];
                const unsigned a = c >> IM_COL32_A_SHIFT & 0xff;
                const auto times_alpha = [&](int shift) { return (c >> shift & 0xff) * a / 255; };
                const std::uint32_t argb = a << 24 | times_alpha(IM_COL32_R_SHIFT) << 16 |
                                           times_alpha(IM_COL32_G_SHIFT) << 8 | times_alpha(IM_COL32_B_SHIFT);
                std::memcpy(data + y * stride + 4 * x, &argb, 4);
            }
        cairo_surface_mark_dirty(cells.get());
        cairo_translate(to_, p.box.min.x, p.box.min.y);
        cairo_scale(to_, p.box.width() / static_cast<float>(p.columns), p.box.height() / static_cast<float>(p.rows));
        cairo_set_source_surface(to_, cells.get(), 0, 0);
        cairo_pattern_set_filter(cairo_get_source(to_), p.smooth ? CAIRO_FILTER_GOOD : CAIRO_FILTER_NEAREST);
        cairo_paint(to_);
    }

    cairo_t* to_;
    const TextFaces& faces_;
};

void check(cairo_status_t status, const char* what) {
    if (status != CAIRO_STATUS_SUCCESS) throw Error("cannot make the {1}: {2}", what, cairo_status_to_string(status));
}

cairo_status_t append(void* to, const unsigned char* bytes, unsigned int count) {
    static_cast<std::string*>(to)->append(reinterpret_cast<const char*>(bytes), count);
    return CAIRO_STATUS_SUCCESS;
}

}  // namespace

std::string to_pdf(const Drawing& drawing, const std::string& title) {
    const FacesInUse use;
    std::string bytes;
    {
        const CairoSurface page(cairo_pdf_surface_create_for_stream(append, &bytes, drawing.size.x * points_per_pixel,
                                                                    drawing.size.y * points_per_pixel));
        cairo_pdf_surface_set_metadata(page.get(), CAIRO_PDF_METADATA_TITLE, title.c_str());
        const Context to(cairo_create(page.get()));
        cairo_scale(to.get(), points_per_pixel, points_per_pixel);
        CairoWriter(to.get(), use.faces()).write(drawing);
        check(cairo_status(to.get()), "PDF");
        cairo_surface_finish(page.get());
        check(cairo_surface_status(page.get()), "PDF");
    }
    return bytes;
}

Image to_image(const Drawing& drawing, float times) {
    const int width = static_cast<int>(std::lround(drawing.size.x * times)),
              height = static_cast<int>(std::lround(drawing.size.y * times));
    if (width < 1 || height < 1 || width > largest_side || height > largest_side)
        throw Error("cannot draw a picture of {1} × {2} pixels: each side must be between 1 and {3}", width, height,
                    largest_side);
    const FacesInUse use;
    const CairoSurface canvas(cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, height));
    check(cairo_surface_status(canvas.get()), N_("picture"));
    const Context to(cairo_create(canvas.get()));
    cairo_scale(to.get(), times, times);
    CairoWriter(to.get(), use.faces()).write(drawing);
    check(cairo_status(to.get()), "picture");
    cairo_surface_flush(canvas.get());
    const unsigned char* const data = cairo_image_surface_get_data(canvas.get());
    const int stride = cairo_image_surface_get_stride(canvas.get());
    Image image{width, height, {}};
    image.rgba.reserve(static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * 4);
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            std::uint32_t rgb = 0;
            std::memcpy(&rgb, data + y * stride + 4 * x, 4);
            for (const int shift : {16, 8, 0}) image.rgba.push_back(static_cast<std::uint8_t>(rgb >> shift & 0xff));
            image.rgba.push_back(255);
        }
    return image;
}

}  // namespace glassformer::app
