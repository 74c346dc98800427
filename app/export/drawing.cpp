#include "app/export/drawing.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>

#include "app/ui/glyphs/glyph_text.h"
#include "app/ui/heat_shader.h"
#include "app/ui/opaque_fill.h"
#include "app/ui/picture_texture.h"
#include "app/ui/running_text.h"
#include "core/text/shown_bytes.h"
#include "core/text/utf8.h"

namespace glassformer::app {

namespace {

constexpr int most_cells = 4096;  // in a heat map that becomes boxes; a larger one becomes a picture
constexpr float near = 0.6f;      // pixels: two places that count as one

bool same_place(ImVec2 a, ImVec2 b, float within = near) {
    return std::abs(a.x - b.x) <= within && std::abs(a.y - b.y) <= within;
}
ImVec2 middle(ImVec2 a, ImVec2 b) { return {(a.x + b.x) / 2, (a.y + b.y) / 2}; }
float distance(ImVec2 a, ImVec2 b) { return std::hypot(a.x - b.x, a.y - b.y); }

Box bounds(const std::vector<ImVec2>& points) {
    Box box{points.front(), points.front()};
    for (const ImVec2 p : points) {
        box.min = {std::min(box.min.x, p.x), std::min(box.min.y, p.y)};
        box.max = {std::max(box.max.x, p.x), std::max(box.max.y, p.y)};
    }
    return box;
}
bool apart(const Box& a, const Box& b) {
    return a.max.x < b.min.x || a.min.x > b.max.x || a.max.y < b.min.y || a.min.y > b.max.y;
}

/// A letter in the atlas, and its font's metrics there, in pixels.
struct Letter {
    FontRole role = FontRole::body;
    char32_t code = 0;
    ImFontGlyph glyph;
    float size = 0, ascent = 0, blank = 0;
};

/// Finds the letter of a quad by its place in the atlas.
class Letters {
public:
    explicit Letters(const Fonts& fonts) {
        for (int role = 0; role < font_role_count; ++role) {
            ImFont* font = fonts.font[role];
            if (!font) continue;
            const float size = font_size(*font), ascent = font_ascent(*font),
                        blank = glyphs_of(*font).FindGlyph(' ')->AdvanceX;
            for (const ImFontGlyph& glyph : glyphs_of(*font).Glyphs)
                if (glyph.Visible)
                    known_.try_emplace(place({glyph.U0, glyph.V0}),
                                       Letter{static_cast<FontRole>(role), static_cast<char32_t>(glyph.Codepoint),
                                              glyph, size, ascent, blank});
        }
    }
    const Letter* at(ImVec2 uv) const {
        const auto found = known_.find(place(uv));
        return found == known_.end() ? nullptr : &found->second;
    }

private:
    static std::uint64_t place(ImVec2 uv) {
        return std::uint64_t{std::bit_cast<std::uint32_t>(uv.x)} << 32 | std::bit_cast<std::uint32_t>(uv.y);
    }
    std::map<std::uint64_t, Letter> known_;
};

/// Turns the triangles of a frame back into the shapes that they were drawn as.
class Reader {
public:
    Reader(const Ui& ui, const Theme& theme, const Box& crop)
        : letters_(*ui.fonts), glyphs_(*ui.fonts->glyphs), files_(find_fonts()), theme_(theme), crop_(crop) {
        drawing_.size = {crop.width(), crop.height()};
    }

    void read(const ImDrawList& list, const ImDrawCmd& command) {
        const ImVec4& clip = command.ClipRect;
        clip_ = Box{moved({clip.x, clip.y}), moved({clip.z, clip.w})}.overlap({{0, 0}, drawing_.size});
        const bool seen = !clip_.empty();
        if (command.UserCallback == ImDrawCallback_ResetRenderState) heat_ = false;
        if (command.UserCallback) return seen ? read_callback(command) : void();
        if (!seen || heat_) return;
        list_ = &list, command_ = &command;
        if (glyphs_.owns(command.GetTexID())) return read_runs();
        if (command.GetTexID() == atlas_texture(*ImGui::GetIO().Fonts)) return read_shapes();
        read_pictures(command.GetTexID());
    }

    Drawing take() { return std::move(drawing_); }

private:
    ImVec2 moved(ImVec2 p) const { return {p.x - crop_.min.x, p.y - crop_.min.y}; }
    unsigned index(unsigned i) const { return list_->IdxBuffer[static_cast<int>(command_->IdxOffset + i)]; }
    const ImDrawVert& vertex(unsigned index) const {
        return list_->VtxBuffer[static_cast<int>(command_->VtxOffset + index)];
    }
    ImVec2 at(unsigned index) const { return moved(vertex(index).pos); }

    template <class What>
    void add(What what, const Box& box) {
        if (!apart(box, clip_)) drawing_.shapes.push_back({std::move(what), clip_});
    }
    void fill(const Box& box, ImU32 colour) {
        add(Drawing::Polygon{{box.min, {box.max.x, box.min.y}, box.max, {box.min.x, box.max.y}}, colour}, box);
    }

    void read_callback(const ImDrawCmd& command) {
        if (const std::optional<ImU32> colour = draw::opaque_colour(command)) return fill(clip_, *colour);
        std::optional<HeatPicture> heat = HeatShader::read_back(command);
        if (!heat) return;
        heat_ = true;
        const Box box{moved(heat->min), moved(heat->max)};
        for (const int row : {heat->marks.covered, heat->marks.covered_too})
            for (int column = 0; row >= 0 && row < heat->rows && column < heat->columns; ++column)
                heat->colours[row * heat->columns + column] = theme_.track;
        if (heat->marks.gap <= 0 || heat->rows * heat->columns > most_cells)
            return add(Drawing::Picture{box, heat->rows, heat->columns, std::move(heat->colours)}, box);
        for (int row = 0; row < heat->rows; ++row)
            for (int column = 0; column < heat->columns; ++column) {
                const ImU32 colour = heat->colours[row * heat->columns + column];
                const CellEdges x(heat->min.x, heat->marks.pitch.x, heat->marks.gap, column),
                    y(heat->min.y, heat->marks.pitch.y, heat->marks.gap, row);
                if (colour & IM_COL32_A_MASK) fill({moved({x.from, y.from}), moved({x.to, y.to})}, colour);
            }
    }

    /// ImGui draws a filled shape as a fan about its first corner, a line as one quad per segment, and a letter as a
    /// quad of the atlas.
    void read_shapes() {
        for (unsigned i = 0; i + 3 <= command_->ElemCount;) {
            const unsigned first = index(i);
            std::vector<unsigned> corners{first, index(i + 1), index(i + 2)};
            i += 3;
            while (i + 3 <= command_->ElemCount && index(i) == first && index(i + 1) == corners.back())
                corners.push_back(index(i + 2)), i += 3;
            if (!read_letter(corners)) read_fill(corners);
        }
    }

    /// Reads glyphs of other scripts; each run was recorded when it was drawn.
    void read_runs() {
        for (unsigned i = 0; i + 6 <= command_->ElemCount; i += 6) {
            const unsigned first = index(i);
            const int corner = static_cast<int>(command_->VtxOffset + first);
            const auto drawn = std::ranges::find_if(glyphs_.drawn(), [&](const GlyphText::Drawn& d) {
                return d.list == list_ && d.first <= corner && corner < d.last;
            });
            if (drawn == glyphs_.drawn().end() || drawn->first != corner) continue;
            const ImVec2 start = at(first), along = at(first + 1), down = at(first + 3);
            const float width = distance(start, along), height = distance(start, down);
            if (width <= 0 || height <= 0) continue;
            const ImVec2 x{(along.x - start.x) / width, (along.y - start.y) / width},
                y{(down.x - start.x) / height, (down.y - start.y) / height}, to = drawn->from_corner;
            const ImVec2 origin{start.x + x.x * to.x + y.x * to.y, start.y + x.y * to.x + y.y * to.y};
            const float reach = drawn->em + drawn->piece->width;
            add(Drawing::Run{drawn->face, drawn->bolder, drawn->em, origin, std::atan2(x.y, x.x), vertex(first).col,
                             *drawn->piece},
                {{origin.x - reach, origin.y - reach}, {origin.x + reach, origin.y + reach}});
        }
    }

    /// Reads quads of other textures. A quad may show only a part of its texture, or flip its rows.
    void read_pictures(ImTextureID texture) {
        const TexturePixels all = read_texture(texture);
        for (unsigned i = 0; i + 6 <= command_->ElemCount; i += 6) {
            const ImDrawVert &from = vertex(index(i)), &to = vertex(index(i + 2));
            const ImVec2 size{static_cast<float>(all.width), static_cast<float>(all.height)},
                first{from.uv.x * size.x, from.uv.y * size.y},
                reach{(to.uv.x - from.uv.x) * size.x, (to.uv.y - from.uv.y) * size.y};
            Drawing::Picture picture{{moved(from.pos), moved(to.pos)},
                                     static_cast<int>(std::lround(std::abs(reach.y))),
                                     static_cast<int>(std::lround(std::abs(reach.x))),
                                     {},
                                     all.smooth};
            const auto source = [](float begin, float length, int i, int count, int limit) {
                const float at = begin + length * (static_cast<float>(i) + 0.5f) / static_cast<float>(count);
                return static_cast<std::size_t>(std::clamp(static_cast<int>(at), 0, limit - 1));
            };
            for (int y = 0; y < picture.rows; ++y)
                for (int x = 0; x < picture.columns; ++x)
                    picture.pixels.push_back(all.pixels[source(first.y, reach.y, y, picture.rows, all.height) *
                                                            static_cast<std::size_t>(all.width) +
                                                        source(first.x, reach.x, x, picture.columns, all.width)]);
            const Box box = picture.box;
            if (!picture.pixels.empty()) add(std::move(picture), box);
        }
    }

    bool read_letter(const std::vector<unsigned>& corners) {
        const ImDrawVert& a = vertex(corners[0]);
        const Letter* letter = corners.size() == 4 ? letters_.at(a.uv) : nullptr;
        if (!letter) return false;
        const ImVec2 start = at(corners[0]), along = at(corners[1]), down = at(corners[3]);
        const ImFontGlyph& g = letter->glyph;
        const float width = distance(start, along), height = distance(start, down);
        if (width <= 0 || height <= 0) return true;
        const float size = width / (g.X1 - g.X0);  // relative to the font's size in the atlas
        const ImVec2 x{(along.x - start.x) / width, (along.y - start.y) / width},
            y{(down.x - start.x) / height, (down.y - start.y) / height};
        const float left = -g.X0 * size, below = (letter->ascent - g.Y0) * size;
        const ImVec2 origin{start.x + x.x * left + y.x * below, start.y + x.y * left + y.y * below};
        write(*letter, origin, std::atan2(x.y, x.x), size, a.col);
        return true;
    }

    /// Appends to the previous text if the letter is at its end or one blank after it.
    void write(const Letter& letter, ImVec2 origin, float angle, float size, ImU32 colour) {
        const float em = letter.size * size / files_.line_per_em, next = letter.glyph.AdvanceX * size;
        const float blank = letter.blank * size;
        const bool bold = is_bold(letter.role);
        if (auto* text = drawing_.shapes.empty() ? nullptr : std::get_if<Drawing::Text>(&drawing_.shapes.back().what);
            text && text->bold == bold && text->colour == colour && std::abs(text->em - em) < 0.01f &&
            std::abs(text->angle - angle) < 1e-3f && same_box(drawing_.shapes.back().clip, clip_)) {
            const float c = std::cos(angle), s = std::sin(angle);
            const float dx = (origin.x - text->at.x) * c + (origin.y - text->at.y) * s,
                        dy = (origin.y - text->at.y) * c - (origin.x - text->at.x) * s, gap = dx - text->end;
            const bool blank_between = std::abs(gap - blank) < near;
            if (std::abs(dy) < near && (std::abs(gap) < near || blank_between)) {
                if (blank_between) text->letters.push_back(U' '), text->along.push_back(text->end);
                text->letters.push_back(letter.code);
                text->along.push_back(dx);
                text->end = dx + next;
                return;
            }
        }
        const Box box{{origin.x - em, origin.y - em}, {origin.x + em, origin.y + em}};
        add(Drawing::Text{bold, em, origin, angle, colour, {letter.code}, {0}, next}, box);
    }
    static bool same_box(const Box& a, const Box& b) {
        return same_place(a.min, b.min, 0) && same_place(a.max, b.max, 0);
    }

    void read_fill(const std::vector<unsigned>& corners) {
        std::vector<ImVec2> points;
        for (const unsigned corner : corners) points.push_back(at(corner));
        const ImU32 colour = vertex(corners[0]).col;
        const Box box = bounds(points);
        if ((colour & IM_COL32_A_MASK) == 0 && vertex(corners[1]).col == colour) return;
        if (points.size() == 4 && vertex(corners[1]).col != colour)
            return add(Drawing::Gradient{box, colour, vertex(corners[1]).col}, box);
        if (points.size() == 4 && extends_line(points, colour)) return;
        add(Drawing::Polygon{std::move(points), colour}, box);
    }

    /// Returns true if a quad continues the previous line, or forms a line with the previous quad.
    bool extends_line(const std::vector<ImVec2>& quad, ImU32 colour) {
        const ImVec2 from = middle(quad[0], quad[3]), to = middle(quad[1], quad[2]);
        const float width = distance(quad[0], quad[3]);
        if (drawing_.shapes.empty() || !same_box(drawing_.shapes.back().clip, clip_) || distance(from, to) < 1e-3f)
            return false;
        auto& before = drawing_.shapes.back().what;
        if (auto* line = std::get_if<Drawing::Line>(&before)) {
            if (line->colour != colour || std::abs(line->width - width) > 0.05f ||
                !same_place(line->points.back(), from, 0.02f))
                return false;
            line->points.push_back(to);
            return true;
        }
        const auto* polygon = std::get_if<Drawing::Polygon>(&before);
        if (!polygon || polygon->points.size() != 4 || polygon->colour != colour) return false;
        const ImVec2 start = middle(polygon->points[0], polygon->points[3]),
                     end = middle(polygon->points[1], polygon->points[2]);
        if (!same_place(end, from, 0.02f) || std::abs(distance(polygon->points[0], polygon->points[3]) - width) > 0.05f)
            return false;
        before = Drawing::Line{{start, end, to}, width, colour};
        return true;
    }

    Letters letters_;
    const GlyphText& glyphs_;
    FontFiles files_;
    const Theme& theme_;
    bool heat_ = false;  // what follows is coloured on the graphics card
    Box crop_, clip_{};
    const ImDrawList* list_ = nullptr;
    const ImDrawCmd* command_ = nullptr;
    Drawing drawing_;
};

}  // namespace

Drawing read_drawing(const ImDrawData& frame, const Ui& ui, const Theme& theme, const Box& crop) {
    Reader reader(ui, theme, crop);
    for (int i = 0; i < frame.CmdListsCount; ++i)
        for (const ImDrawCmd& command : frame.CmdLists[i]->CmdBuffer) reader.read(*frame.CmdLists[i], command);
    return reader.take();
}

void add_caption(Drawing& drawing, const Ui& ui, const std::string& text, ImU32 colour) {
    const FontRole role = FontRole::small;
    const float em = ui.line(role) / find_fonts().line_per_em, side = ui.line(role) / 2,
                width = std::max(drawing.size.x - 2 * side, 8 * ui.line(role));
    ImFont& font = *(*ui.fonts)[role];
    const Box everywhere{{0, 0}, {1e5f, 1e5f}};
    drawing.size.y += side;
    for (const std::string_view row : draw::wrapped_lines(ui, text, width, role)) {
        const ImVec2 at{side, drawing.size.y + font_ascent(font)};
        const auto add_letters = [&](std::string_view part, float x) {
            Drawing::Text line{false, em, {at.x + x, at.y}, 0, colour, {}, {}, 0};
            for (const char32_t code : code_points(as_utf8(part))) {
                line.letters.push_back(code);
                line.along.push_back(line.end);
                line.end += glyphs_of(font).GetCharAdvance(static_cast<ImWchar>(code));
            }
            drawing.shapes.push_back({std::move(line), everywhere});
        };
        if (const TextLine* line = ui.fonts->glyphs->line(role, row)) {
            for (const TextPiece& piece : line->pieces)
                if (piece.kind == TextPiece::Kind::shaped)
                    drawing.shapes.push_back(
                        {Drawing::Run{
                             ui.fonts->glyphs->face_of(piece), false, em, {at.x + piece.x, at.y}, 0, colour, piece},
                         everywhere});
                else
                    add_letters(piece.text, piece.x);
        } else {
            add_letters(row, 0);
        }
        drawing.size.y += std::round(ui.line(role) * 1.22f);
    }
    drawing.size.y += side / 2;
}

}  // namespace glassformer::app
