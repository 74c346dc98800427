#include "app/ui/glyphs/text_direction.h"

#include <fribidi.h>

#include <algorithm>
#include <type_traits>

#include "core/text/shown_bytes.h"
#include "core/text/utf8.h"

namespace glassformer::app {

namespace {

static_assert(std::is_same_v<FriBidiLevel, signed char>);

/// True if a character of a right-to-left script may begin with this byte; most texts have none.
bool may_run_left(char c) {
    const auto byte = static_cast<unsigned char>(c);
    return (byte >= 0xD6 && byte <= 0xE0) || byte == 0xEF || byte == 0xF0;
}

}  // namespace

DrawnCharacters::DrawnCharacters(std::string_view text) {
    const std::size_t size = text.size();
    std::size_t at = 0;
    while (at < size) {
        std::size_t good = size - at;
        const bool valid = is_valid_utf8(text.substr(at), &good);
        if (valid) good = size - at;
        for (const char32_t point : code_points(text.substr(at, good))) {
            points += point < 0x20 || point == 0x7F ? U' ' : point;
            source.push_back(at);
            at += to_utf8({&point, 1}).size();
        }
        if (valid) break;
        for (const char32_t point : code_points(shown_bytes(text.substr(at, 1)))) {
            points += point;
            source.push_back(at);
        }
        ++at;
    }
    source.push_back(size);
}

BidiLevels::BidiLevels(const std::u32string& points) : levels(points.size(), 0) {
    const auto count = static_cast<FriBidiStrIndex>(points.size());
    const auto* text = reinterpret_cast<const FriBidiChar*>(points.data());
    std::vector<FriBidiCharType> types(points.size());
    std::vector<FriBidiBracketType> brackets(points.size());
    fribidi_get_bidi_types(text, count, types.data());
    std::ptrdiff_t left = 0, right = 0;
    bool arrow = false;
    for (std::size_t i = 0; i < points.size(); ++i) {
        if (FRIBIDI_IS_STRONG(types[i]) && FRIBIDI_IS_LETTER(types[i])) ++(FRIBIDI_IS_RTL(types[i]) ? right : left);
        if (points[i] >= 0x2190 && points[i] <= 0x21FF) types[i] = FRIBIDI_TYPE_LTR, arrow = true;
    }
    right_to_left = right > left && !arrow;
    if (right == 0) return;
    // In the app's own lines, such as "א → ב 0.42", the words may be Hebrew but the order is the app's.
    if (!right_to_left)
        std::ranges::replace(types, FriBidiCharType{FRIBIDI_TYPE_EN}, FriBidiCharType{FRIBIDI_TYPE_LTR});
    fribidi_get_bracket_types(text, count, types.data(), brackets.data());
    FriBidiParType direction = right_to_left ? FRIBIDI_PAR_RTL : FRIBIDI_PAR_LTR;
    if (fribidi_get_par_embedding_levels_ex(types.data(), brackets.data(), count, &direction, levels.data()) == 0)
        std::ranges::fill(levels, FriBidiLevel{0});
}

bool runs_right_to_left(std::string_view text) {
    return std::ranges::any_of(text, may_run_left) && BidiLevels(DrawnCharacters(text).points).right_to_left;
}

}  // namespace glassformer::app
