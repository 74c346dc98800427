#include "app/ui/math_text.h"

#include <algorithm>
#include <cmath>

namespace glassformer::app::math {

namespace {

constexpr float raised = 0.34f, lowered = -0.22f;

/// The position of the bracket that closes the one at `from`; npos if there is none.
std::size_t closing_bracket(std::string_view text, std::size_t from) {
    int depth = 0;
    for (std::size_t i = from; i < text.size(); ++i) {
        if (text[i] == '(') ++depth;
        if (text[i] == ')' && --depth == 0) return i;
    }
    return std::string_view::npos;
}

struct Fraction {
    std::string_view over, under;
    explicit operator bool() const { return !under.empty(); }
};

std::string_view without_brackets(std::string_view text) {
    if (!text.starts_with('(') || !text.ends_with(')')) return text;
    const std::string_view inside = text.substr(1, text.size() - 2);
    return inside.find_first_of("()") == std::string_view::npos ? inside : text;
}

/// The two sides of the only "/" outside brackets; empty if there is none or the text has other parts.
Fraction fraction_of(std::string_view text) {
    int depth = 0;
    std::size_t slash = std::string_view::npos;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '(' || text[i] == '[') ++depth;
        if (text[i] == ')' || text[i] == ']') --depth;
        if (depth > 0) continue;
        if (text.substr(i).starts_with(" + ")) return {};
        if (!text.substr(i).starts_with(" / ")) continue;
        if (slash != std::string_view::npos) return {};
        slash = i;
    }
    if (slash == std::string_view::npos) return {};
    return {without_brackets(text.substr(0, slash)), without_brackets(text.substr(slash + 3))};
}

struct Size {
    float width = 0, height = 0;
};

float script_room(const Ui& ui, std::string_view text) {
    return text.find('^') == std::string_view::npos ? 0 : std::round(raised * ui.line(FontRole::small));
}

/// The size of a piece; a stacked fraction counts both lines and the room for exponents.
Size measure(const Ui& ui, const Piece& piece, const Style& style) {
    Style own = style;
    if (piece.result) own.font = FontRole::body_bold;
    if (const Fraction f = style.stacked ? fraction_of(piece.text) : Fraction{}) {
        const float wide = std::max(text(ui, {}, f.over, own, false), text(ui, {}, f.under, own, false));
        const float lines = 2 * ui.line(style.font) + script_room(ui, f.over) + script_room(ui, f.under);
        const float before = text(ui, {}, piece.before, own, false);
        return {before + wide + ui.px(8), lines + ui.px(5)};
    }
    const float box = piece.result && style.stacked ? ui.px(12) : 0;
    return {text(ui, {}, piece.text, own, false) + box, ui.line(own.font) + script_room(ui, piece.text) + box / 2};
}

void draw_fraction(const Ui& ui, ImVec2 at, Size size, float middle, const Fraction& f, const Style& style) {
    const float over = text(ui, {}, f.over, style, false), under = text(ui, {}, f.under, style, false);
    const float line = ui.line(style.font);
    text(ui, {at.x + (size.width - over) / 2, middle - ui.px(2) - line}, f.over, style);
    text(ui, {at.x + (size.width - under) / 2, middle + ui.px(3) + script_room(ui, f.under)}, f.under, style);
    draw::horizontal_line(ui, at.x + ui.px(1), at.x + size.width - ui.px(1), middle, ui.theme->text_muted);
}

/// Draws a piece with its math axis at y = `middle`.
void draw_piece(const Ui& ui, ImVec2 at, Size size, float middle, const Piece& piece, const Style& style) {
    if (const Fraction f = style.stacked ? fraction_of(piece.text) : Fraction{}) {
        const float before = text(ui, {at.x, std::round(middle - ui.line(style.font) / 2)}, piece.before, style);
        return draw_fraction(ui, {at.x + before, at.y}, {size.width - before, size.height}, middle, f, style);
    }
    Style own = style;
    float x = at.x;
    if (piece.result) own.font = FontRole::body_bold, own.colour = ui.theme->text;
    const float top = std::round(middle - ui.line(own.font) / 2);
    if (piece.result && style.stacked) {
        draw::rounded_box(ui, {{x, top - ui.px(3)}, {x + size.width, top + ui.line(own.font) + ui.px(3)}},
                          ui.theme->selection_tint, ui.theme->selection, 5);
        x += ui.px(6);
    }
    text(ui, {x, top}, piece.text, own);
}

}  // namespace

Script script_from(std::string_view text, std::size_t from) {
    if (from < text.size() && text[from] == '(')
        if (const std::size_t close = closing_bracket(text, from); close != std::string_view::npos)
            return {text.substr(from + 1, close - from - 1), close + 1};
    std::size_t end = from;
    while (end < text.size() && std::string_view(" )],[(/").find(text[end]) == std::string_view::npos) {
        if (end > from && text.substr(end).starts_with("·")) break;
        ++end;
    }
    return {text.substr(from, end - from), end};
}

float text(const Ui& ui, ImVec2 at, std::string_view text, const Style& style, bool draw_it) {
    float x = at.x;
    const auto put = [&](std::string_view part, FontRole font, float rise) {
        if (part.empty()) return;
        const float down =
            font == style.font ? 0 : std::round(ui.line(style.font) * 0.8f - ui.line(font) * 0.8f);  // one baseline
        const ImVec2 corner{x, at.y + down - std::round(rise * ui.line(font))};
        if (draw_it) draw::text(ui, corner, part, {font, style.colour});
        x += draw::text_size(ui, part, font).x;
    };
    const FontRole script = FontRole::small;
    while (!text.empty()) {
        const std::size_t mark = text.find_first_of("^_");
        put(text.substr(0, mark), style.font, 0);
        if (mark == std::string_view::npos) break;
        const Script part = script_from(text, mark + 1);
        put(part.text, script, text[mark] == '^' ? raised : lowered);
        text = text.substr(part.end);
    }
    return x - at.x;
}

float equation(const Ui& ui, ImVec2 at, float width, std::span<const Piece> pieces, const Style& style) {
    const float equals = text(ui, {}, " = ", style, false);
    float y = at.y;
    for (std::size_t first = 0; first < pieces.size();) {
        // A line takes as many pieces as fit, but at least one.
        std::size_t last = first;
        float used = first ? equals : 0, height = ui.line(style.font);
        while (last < pieces.size()) {
            const Size size = measure(ui, pieces[last], style);
            const float next = used + size.width + (last > first ? equals : 0);
            if (last > first && next > width) break;
            used = next;
            height = std::max(height, size.height);
            ++last;
        }
        const float middle = std::round(y + height / 2);
        float x = at.x;
        for (std::size_t i = first; i < last; ++i) {
            const Size size = measure(ui, pieces[i], style);
            if (i > 0 && size.width <= width)
                x += text(ui, {x, std::round(middle - ui.line(style.font) / 2)}, i == first ? "= " : " = ", style);
            if (size.width > width) {  // a sentence rather than a formula
                height = draw::text_wrapped(ui, {at.x, y}, width, pieces[i].text, {FontRole::small, style.colour});
                x = at.x;
                continue;
            }
            draw_piece(ui, {x, y}, size, middle, pieces[i], style);
            x += size.width;
        }
        y += height + ui.px(4);
        first = last;
    }
    return y - at.y;
}

}  // namespace glassformer::app::math
