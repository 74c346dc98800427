#include "app/ui/glyphs/glyph_text.h"

#include <algorithm>
#include <cmath>

#include "app/ui/imgui_versions.h"

namespace glassformer::app {

namespace {

constexpr std::size_t most_lines = 4096;  // cached per text size, beyond those of the last frame

}  // namespace

GlyphText::GlyphText(bool waits, FontFinder::Find find, GlyphBudget budget)
    : waits_(waits), budget_(budget), finder_(waits, std::move(find)) {}

void GlyphText::begin_frame(const Fonts& fonts) {
    ++frame_;
    pages_.begin_frame();
    drawn_.clear();
    rough_.clear();
    made_ = characters_ = 0;
    waiting_ = false;
    const bool news = finder_.take_news();
    if (fonts.scale != fonts_.scale || fonts.font != fonts_.font) {
        fonts_ = fonts;
        const FontFiles files = find_fonts();
        for (const bool bold : {false, true}) {
            first_faces_[bold].clear();
            for (const std::string& file :
                 {bold ? files.bold : files.regular, bold ? files.symbols_bold : files.symbols})
                if (!file.empty()) first_faces_[bold].push_back(faces_.number_of({file, 0}));
        }
        for (int role = 0; role < font_role_count; ++role)
            em_[role] = font_size(*fonts.font[role]) / std::max(files.line_per_em, 1.0f);
        for (auto& lines : lines_) lines.clear();
    }
    for (auto& lines : lines_) {
        if (news) std::erase_if(lines, [](const auto& entry) { return !entry.second.line.complete; });
        if (lines.size() > most_lines)
            std::erase_if(lines, [&](const auto& entry) { return entry.second.used + 1 < frame_; });
    }
}

LineFont GlyphText::line_font(FontRole role) const {
    const bool bold = is_bold(role);
    return {fonts_[role], em_[static_cast<std::size_t>(role)], bold, first_faces_[bold]};
}

/// A placeholder for text beyond this frame's budget: its approximate width, with nothing drawn yet.
TextLine GlyphText::rough_line(FontRole role, std::string_view text) const {
    TextLine line;
    line.complete = false;
    const float letter = em_[static_cast<std::size_t>(role)] / 2;
    for (std::size_t begin = 0; begin < text.size();) {
        std::size_t end = begin + 1;
        while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) ++end;
        line.stops.push_back({begin, end, line.width, line.width + letter});
        line.width += letter;
        begin = end;
    }
    return line;
}

const TextLine* GlyphText::line(FontRole role, std::string_view text) {
    if (text.empty() || !fonts_[role] || atlas_has(*fonts_[role], text)) return nullptr;
    auto& lines = lines_[static_cast<std::size_t>(role)];
    auto known = lines.find(text);
    if (known == lines.end()) {
        const int size = static_cast<int>(std::min<std::size_t>(text.size(), 1u << 30));
        if (!waits_ && characters_ > 0 && characters_ + size > budget_.characters) {
            waiting_ = true;
            return &rough_.emplace_back(rough_line(role, text));
        }
        characters_ += size;
        known = lines.emplace(text, Kept{text_line(text, line_font(role), faces_, finder_), 0}).first;
    }
    known->second.used = frame_;
    return &known->second.line;
}

void GlyphText::draw(ImDrawList& list, FontRole role, const TextLine& line, ImVec2 at, ImU32 colour,
                     const ImVec4& clip) {
    const LineFont font = line_font(role);
    const float ascent = font_ascent(*font.font);
    for (const TextPiece& piece : line.pieces) {
        const ImVec2 corner{at.x + piece.x, at.y};
        switch (piece.kind) {
            case TextPiece::Kind::atlas:
                font.font->RenderText(&list, font_size(*font.font), {std::round(corner.x), corner.y}, colour, clip,
                                      piece.text.data(), piece.text.data() + piece.text.size());
                break;
            case TextPiece::Kind::shaped:
                draw_glyphs(list, font, piece, {corner.x, std::round(at.y + ascent)}, colour, clip);
                break;
            case TextPiece::Kind::unknown:
                draw_unknown(list, font, piece, corner, colour, clip);
                break;
            case TextPiece::Kind::awaited:
                break;
        }
    }
}

void GlyphText::draw_glyphs(ImDrawList& list, const LineFont& font, const TextPiece& piece, ImVec2 origin, ImU32 colour,
                            const ImVec4& clip) {
    const bool bolder = font.bold && !faces_.is_bold(piece.face);
    const float reach = 2 * font.em;
    const int first = list.VtxBuffer.Size;
    ImVec2 from_corner;
    for (const PlacedGlyph& glyph : piece.glyphs) {
        const float x = origin.x + glyph.x, y = std::round(origin.y - glyph.up);
        if (x > clip.z + reach || x + glyph.width < clip.x - reach || y > clip.w + reach || y < clip.y - reach)
            continue;
        const float whole = std::floor(x + 0.125f);  // to the nearest quarter of a pixel
        const int quarter = std::clamp(static_cast<int>((x + 0.125f - whole) * 4), 0, 3);
        const GlyphKey key{piece.face, glyph.glyph, font.em, quarter, bolder};
        const GlyphPages::Glyph* picture = pages_.find(key);
        if (!picture) {
            if (!waits_ && made_ >= budget_.glyphs) {
                waiting_ = true;
                continue;
            }
            ++made_;
            picture = pages_.add(key, faces_.bitmap(key));
        }
        if (!picture || picture->page < 0) continue;
        const ImVec2 min{whole + picture->left, y - picture->top};
        const ImU32 tint = picture->coloured ? colour | ~IM_COL32_A_MASK : colour;
        if (list.VtxBuffer.Size == first) from_corner = {origin.x - min.x, origin.y - min.y};
        list.AddImage(pages_.texture(picture->page), min, {min.x + picture->width, min.y + picture->height},
                      picture->uv0, picture->uv1, tint);
    }
    if (list.VtxBuffer.Size > first)
        drawn_.push_back(
            {&list, first, list.VtxBuffer.Size, &piece, faces_.face(piece.face), font.em, bolder, from_corner});
}

void GlyphText::draw_unknown(ImDrawList& list, const LineFont& font, const TextPiece& piece, ImVec2 at, ImU32 colour,
                             const ImVec4& clip) {
    const float size = font_size(*font.font), letters = size * unknown_scale;
    const float edge = std::max(1.0f, std::round(font.em / 16));
    const ImVec2 min{std::round(at.x + edge), std::round(at.y + size * 0.12f)},
        max{std::round(at.x + piece.width - edge), std::round(at.y + size * 0.9f)};
    const ImU32 faint = (colour & ~IM_COL32_A_MASK) | ((colour >> IM_COL32_A_SHIFT & 0xFF) / 2) << IM_COL32_A_SHIFT;
    list.AddRect(min, max, faint, font.em / 8, 0, edge);
    const float width =
        font.font->CalcTextSizeA(letters, 1e9f, 0, piece.text.data(), piece.text.data() + piece.text.size()).x;
    font.font->RenderText(&list, letters, {(min.x + max.x - width) / 2, (min.y + max.y - letters) / 2}, colour, clip,
                          piece.text.data(), piece.text.data() + piece.text.size());
}

}  // namespace glassformer::app
