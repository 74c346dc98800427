#include "app/ui/glyphs/text_line.h"

#include <hb.h>

#include <algorithm>
#include <cfloat>
#include <cstdio>
#include <memory>
#include <utility>

#include "app/ui/fonts.h"
#include "app/ui/glyphs/text_direction.h"
#include "app/ui/imgui_versions.h"
#include "core/text/unicode.h"
#include "core/text/utf8.h"
#include "core/text/words.h"

namespace glassformer::app {

namespace {

using Kind = TextPiece::Kind;

/// Invisible characters that only control joining or direction: a face need not have them.
bool is_unseen(char32_t p) {
    return (p >= 0x200B && p <= 0x200F) || (p >= 0x202A && p <= 0x202E) || (p >= 0x2060 && p <= 0x2069) ||
           (p >= 0xFE00 && p <= 0xFE0F) || p == 0xFEFF || p == 0x00AD || p == 0x034F || (p >= 0xE0000 && p <= 0xE0FFF);
}

bool atlas_has(ImFont& font, char32_t p) {
    if (p < 0x80) return true;
    return is_for_fonts(p) && glyphs_of(font).FindGlyphNoFallback(static_cast<ImWchar>(p)) != nullptr;
}

/// Scripts whose letters change with their neighbours: Arabic and related ones, those of India and South-East Asia, and
/// Mongolian.
bool joins_letters(char32_t p) {
    return (p >= 0x0600 && p <= 0x109F) || (p >= 0x1780 && p <= 0x18AF) || (p >= 0x1900 && p <= 0x1CFF);
}

constexpr std::size_t longest_word = 32;  // in graphemes, drawn as one glyph

/// Marks that place the next letter below this one.
bool stacks_next(char32_t p) { return p == 0x1039 || p == 0x17D2 || p == 0x1A60; }

/// The characters from `begin` to `end`, drawn in one way.
struct Item {
    std::size_t begin = 0, end = 0;
    Kind kind = Kind::atlas;
    int face = -1;
    signed char level = 0;
    hb_script_t script = HB_SCRIPT_COMMON;
};

class Builder {
public:
    Builder(std::string_view text, const LineFont& font, Faces& faces, FontFinder& finder)
        : font_(font), faces_(faces), finder_(finder), shown_(text), directions_(shown_.points) {}

    TextLine build() {
        find_graphemes();
        find_items();
        TextLine line;
        line.right_to_left = directions_.right_to_left;
        widths_.assign(starts_.size(), 0);
        for (const Item& item : items_) line.pieces.push_back(piece_of(item));
        const std::vector<std::size_t> order = in_visual_order();
        std::vector<TextPiece> seen;
        std::vector<float> left(items_.size());
        for (const std::size_t i : order) {
            TextPiece& piece = line.pieces[i];
            left[i] = piece.x = line.width;
            line.width += piece.width;
            line.complete = line.complete && piece.kind != Kind::awaited;
            seen.push_back(std::move(piece));
        }
        add_stops(line, seen, order, left);
        line.pieces = std::move(seen);
        return line;
    }

private:
    std::string utf8(std::size_t begin, std::size_t end) const {
        return to_utf8(std::u32string_view(shown_.points).substr(begin, end - begin));
    }

    void find_graphemes() {
        const std::string text = to_utf8(shown_.points);
        std::size_t point = 0, byte = 0;
        for (const ByteRange range : graphemes(text)) {
            while (byte < range.begin) byte += to_utf8({&shown_.points[point], 1}).size(), ++point;
            starts_.push_back(point);
        }
        starts_.push_back(shown_.points.size());
    }

    bool covers(int face, std::size_t begin, std::size_t end) const {
        for (std::size_t i = begin; i < end; ++i)
            if (!is_unseen(shown_.points[i]) && !faces_.has(face, shown_.points[i])) return false;
        return true;
    }

    /// Chooses how to draw a grapheme and in which face. Tries ImGui's font, the window's faces, those already found
    /// for this script, then asks the system.
    void choose(Item& item) {
        const auto points = std::u32string_view(shown_.points).substr(item.begin, item.end - item.begin);
        if (item.level % 2 == 0 && std::ranges::all_of(points, [&](char32_t p) { return atlas_has(*font_.font, p); }))
            return;
        const auto take = [&](int face) {
            if (!covers(face, item.begin, item.end)) return false;
            item.kind = Kind::shaped, item.face = face;
            return true;
        };
        // A space or a comma goes with the words around it.
        const bool neutral = item.script == HB_SCRIPT_COMMON;
        if (neutral && !items_.empty() && items_.back().face >= 0 && take(items_.back().face)) return;
        for (const int face : font_.first)
            if (take(face)) return;
        for (const int face : faces_.serving(item.script, font_.bold))
            if (take(face)) return;
        const char32_t asked = *std::ranges::find_if_not(points.begin(), std::prev(points.end()), is_unseen);
        const FontFinder::Answer answer = finder_.ask(asked, font_.bold);
        if (answer.face) {
            const int face = faces_.number_of(*answer.face);
            faces_.serve(item.script, font_.bold, face);
            if (take(face)) return;
            // The face has the letter, but perhaps not its marks.
            if (faces_.has(face, asked)) {
                item.kind = Kind::shaped, item.face = face;
                return;
            }
        }
        item.kind = answer.known ? Kind::unknown : Kind::awaited;
    }

    void find_items() {
        hb_unicode_funcs_t* const unicode = hb_unicode_funcs_get_default();
        for (std::size_t g = 0; g + 1 < starts_.size(); ++g) {
            Item item{starts_[g], starts_[g + 1], Kind::atlas, -1, directions_.levels[starts_[g]], HB_SCRIPT_COMMON};
            for (std::size_t i = item.begin; i < item.end && item.script == HB_SCRIPT_COMMON; ++i)
                if (const hb_script_t its = hb_unicode_script(unicode, shown_.points[i]); its != HB_SCRIPT_INHERITED)
                    item.script = its;
            choose(item);
            if (!items_.empty() && goes_on(items_.back(), item)) {
                items_.back().end = item.end;
                if (items_.back().script == HB_SCRIPT_COMMON) items_.back().script = item.script;
            } else {
                items_.push_back(item);
            }
        }
    }

    static bool goes_on(const Item& before, const Item& item) {
        if (before.kind != item.kind || before.level != item.level || before.face != item.face) return false;
        if (item.kind == Kind::unknown) return false;
        return item.kind == Kind::atlas || item.script == before.script || item.script == HB_SCRIPT_COMMON ||
               before.script == HB_SCRIPT_COMMON;
    }

    TextPiece piece_of(const Item& item) {
        TextPiece piece;
        piece.kind = item.kind, piece.face = item.face, piece.right_to_left = item.level % 2 != 0;
        piece.text = utf8(item.begin, item.end);
        switch (item.kind) {
            case Kind::atlas:
                for_each_grapheme(item, [&](std::size_t g) {
                    widths_[g] = atlas_width(utf8(starts_[g], starts_[g + 1]));
                    piece.width += widths_[g];
                });
                break;
            case Kind::shaped:
                shape(item, piece);
                break;
            case Kind::unknown: {
                char code[16];
                std::snprintf(code, sizeof code, "%04X", static_cast<unsigned>(shown_.points[item.begin]));
                piece.text = code;
                piece.width = unknown_scale * atlas_width(piece.text) + font_.em / 2;
                for_each_grapheme(item, [&](std::size_t g) { widths_[g] = piece.width; });
                break;
            }
            case Kind::awaited:
                for_each_grapheme(item, [&](std::size_t g) { piece.width += widths_[g] = font_.em; });
                break;
        }
        return piece;
    }

    float atlas_width(const std::string& text) const {
        return font_.font->CalcTextSizeA(font_size(*font_.font), FLT_MAX, 0, text.data(), text.data() + text.size()).x;
    }

    template <class Visit>
    void for_each_grapheme(const Item& item, const Visit& visit) const {
        const auto first = std::ranges::lower_bound(starts_, item.begin);
        for (auto at = first; *at < item.end; ++at) visit(static_cast<std::size_t>(at - starts_.begin()));
    }

    void shape(const Item& item, TextPiece& piece) {
        if (faces_.draws_words(item.face) && has_joined_letters(item)) return set_words(item, piece);
        const std::unique_ptr<hb_buffer_t, decltype(&hb_buffer_destroy)> buffer(hb_buffer_create(), hb_buffer_destroy);
        hb_buffer_add_utf32(buffer.get(), reinterpret_cast<const std::uint32_t*>(shown_.points.data()),
                            static_cast<int>(shown_.points.size()), static_cast<unsigned>(item.begin),
                            static_cast<int>(item.end - item.begin));
        hb_buffer_set_direction(buffer.get(), piece.right_to_left ? HB_DIRECTION_RTL : HB_DIRECTION_LTR);
        hb_buffer_set_script(buffer.get(), item.script);
        hb_buffer_set_language(buffer.get(), hb_language_get_default());
        hb_shape(faces_.shaper(item.face), buffer.get(), nullptr, 0);
        unsigned count = 0;
        const hb_glyph_info_t* info = hb_buffer_get_glyph_infos(buffer.get(), &count);
        const hb_glyph_position_t* place = hb_buffer_get_glyph_positions(buffer.get(), &count);
        const float unit = font_.em / faces_.units_per_em(item.face);
        std::vector<std::size_t> bytes{0};  // where each character begins in the piece's text
        for (std::size_t i = item.begin; i < item.end; ++i)
            bytes.push_back(bytes.back() + to_utf8({&shown_.points[i], 1}).size());
        std::vector<std::pair<std::size_t, float>> advances;  // where each cluster begins, and its width
        for (unsigned i = 0; i < count; ++i) {
            const float advance = unit * static_cast<float>(place[i].x_advance);
            piece.glyphs.push_back({info[i].codepoint, piece.width + unit * static_cast<float>(place[i].x_offset),
                                    unit * static_cast<float>(place[i].y_offset), advance});
            piece.clusters.push_back(bytes[info[i].cluster - item.begin]);
            piece.width += advance;
            advances.emplace_back(info[i].cluster, advance);
        }
        share_out(item, std::move(advances));
    }

    bool has_joined_letters(const Item& item) const {
        return std::ranges::any_of(shown_.points.begin() + static_cast<std::ptrdiff_t>(item.begin),
                                   shown_.points.begin() + static_cast<std::ptrdiff_t>(item.end), joins_letters);
    }

    /// Where the word that begins at grapheme g ends: at a space or, in a script without spaces, after any grapheme
    /// that nothing stacks on.
    std::size_t end_of_word(std::size_t g, const Item& item) const {
        for (std::size_t next = g + 1;; ++next) {
            const std::size_t at = starts_[next];
            if (at >= item.end || next - g == longest_word) return next;
            const char32_t before = shown_.points[at - 1], after = shown_.points[at];
            if (before == U' ' || after == U' ' || (is_unspaced_script(before) && !stacks_next(before))) return next;
        }
    }

    /// Like shape(), with one glyph per word.
    void set_words(const Item& item, TextPiece& piece) {
        const float unit = font_.em / faces_.units_per_em(item.face);
        std::vector<std::pair<std::size_t, float>> advances;
        std::size_t byte = 0;
        for (std::size_t g = std::ranges::lower_bound(starts_, item.begin) - starts_.begin(); starts_[g] < item.end;) {
            const std::size_t begin = starts_[g], next = end_of_word(g, item);
            const std::string word = utf8(begin, starts_[next]);
            // Right-to-left marks on both sides put a full stop after an Arabic word on its left.
            const std::string mark = piece.right_to_left ? "\u200F" : "";
            const unsigned glyph = faces_.word_glyph(item.face, mark + word + mark);
            const auto advance = static_cast<float>(hb_font_get_glyph_h_advance(faces_.shaper(item.face), glyph));
            piece.glyphs.push_back({glyph, piece.width, 0, unit * advance});
            piece.clusters.push_back(byte);
            piece.width += unit * advance;
            advances.emplace_back(begin, unit * advance);
            byte += word.size();
            g = next;
        }
        if (piece.right_to_left) {
            for (PlacedGlyph& glyph : piece.glyphs) glyph.x = piece.width - glyph.x - glyph.width;
            std::ranges::reverse(piece.glyphs);
            std::ranges::reverse(piece.clusters);
        }
        share_out(item, std::move(advances));
    }

    /// Divides a cluster's width equally among its graphemes: each letter of a ligature gets a part.
    void share_out(const Item& item, std::vector<std::pair<std::size_t, float>> advances) {
        std::ranges::stable_sort(advances, {}, &std::pair<std::size_t, float>::first);
        for (std::size_t i = 0; i < advances.size();) {
            const std::size_t begin = advances[i].first;
            float width = 0;
            for (; i < advances.size() && advances[i].first == begin; ++i) width += advances[i].second;
            const std::size_t end = i < advances.size() ? advances[i].first : item.end;
            std::size_t first = std::ranges::lower_bound(starts_, begin) - starts_.begin();
            const std::size_t last = std::ranges::lower_bound(starts_, end) - starts_.begin();
            if (starts_[first] > begin) --first;  // the cluster begins inside a grapheme
            const std::size_t parts = std::max<std::size_t>(1, last - first);
            for (std::size_t g = first; g < first + parts; ++g) widths_[g] += width / static_cast<float>(parts);
        }
    }

    /// The items from left to right: right-to-left runs are reversed, level by level from the innermost.
    std::vector<std::size_t> in_visual_order() const {
        std::vector<std::size_t> order(items_.size());
        for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
        const auto level = [&](std::size_t i) { return items_[order[i]].level; };
        signed char highest = 0;
        for (const Item& item : items_) highest = std::max(highest, item.level);
        for (signed char turned = highest; turned > 0; --turned)
            for (std::size_t i = 0; i < order.size();) {
                std::size_t end = i;
                while (end < order.size() && level(end) >= turned) ++end;
                std::reverse(order.begin() + static_cast<std::ptrdiff_t>(i),
                             order.begin() + static_cast<std::ptrdiff_t>(end));
                i = end + 1;
            }
        return order;
    }

    void add_stops(TextLine& line, const std::vector<TextPiece>& seen, const std::vector<std::size_t>& order,
                   const std::vector<float>& left) const {
        std::vector<float> right(items_.size());
        for (std::size_t i = 0; i < order.size(); ++i) right[order[i]] = seen[i].x + seen[i].width;
        for (std::size_t i = 0; i < items_.size(); ++i) {
            const bool back = items_[i].level % 2 != 0;
            float x = back ? right[i] : left[i];
            for_each_grapheme(items_[i], [&](std::size_t g) {
                const float next = back ? x - widths_[g] : x + widths_[g];
                const std::size_t begin = shown_.source[starts_[g]], end = shown_.source[starts_[g + 1]];
                if (!line.stops.empty() && line.stops.back().begin == begin)  // another character of the same ⟨E5⟩
                    line.stops.back() = {begin, end, std::min(line.stops.back().left, next),
                                         std::max(line.stops.back().right, next), back};
                else
                    line.stops.push_back({begin, end, std::min(x, next), std::max(x, next), back});
                x = next;
            });
        }
    }

    const LineFont& font_;
    Faces& faces_;
    FontFinder& finder_;
    DrawnCharacters shown_;
    BidiLevels directions_;
    std::vector<std::size_t> starts_;  // of each grapheme, plus the end
    std::vector<float> widths_;        // of each grapheme
    std::vector<Item> items_;
};

}  // namespace

bool atlas_has(ImFont& font, std::string_view text) {
    if (std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; })) return true;
    if (!is_valid_utf8(text)) return false;
    for (std::size_t at = 0; at < text.size(); at += character_length(text, at))
        if (!atlas_has(font, character_at(text, at))) return false;
    return true;
}

TextLine text_line(std::string_view text, const LineFont& font, Faces& faces, FontFinder& finder) {
    return Builder(text, font, faces, finder).build();
}

}  // namespace glassformer::app
