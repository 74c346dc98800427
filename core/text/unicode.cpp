#include "core/text/unicode.h"

#include <utf8proc.h>

#include <cstdlib>
#include <memory>

#include "core/base/error.h"
#include "core/text/utf8.h"

namespace glassformer {

namespace {

utf8proc_option_t options_of(NormalForm form) {
    switch (form) {
        case NormalForm::nfc:
            return static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_COMPOSE);
        case NormalForm::nfd:
            return static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_DECOMPOSE);
        case NormalForm::nfkc:
            return static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_COMPOSE | UTF8PROC_COMPAT);
        default:
            return static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_DECOMPOSE | UTF8PROC_COMPAT);
    }
}

std::string normalized(std::string_view text, NormalForm form) {
    utf8proc_uint8_t* made = nullptr;
    const utf8proc_ssize_t size = utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                                               static_cast<utf8proc_ssize_t>(text.size()), &made, options_of(form));
    const std::unique_ptr<utf8proc_uint8_t, decltype(&std::free)> owner(made, &std::free);
    if (size < 0) throw Error("the text cannot be normalized: {1}", utf8proc_errmsg(size));
    return {reinterpret_cast<const char*>(made), static_cast<std::size_t>(size)};
}

utf8proc_category_t category(char32_t point) { return utf8proc_category(static_cast<utf8proc_int32_t>(point)); }

bool between(utf8proc_category_t c, utf8proc_category_t first, utf8proc_category_t last) {
    return c >= first && c <= last;
}

bool is_ascii(std::string_view text) {
    for (const char c : text)
        if (static_cast<unsigned char>(c) >= 0x80) return false;
    return true;
}

}  // namespace

std::vector<ByteRange> graphemes(std::string_view utf8) {
    std::vector<ByteRange> found;
    utf8proc_int32_t state = 0;
    char32_t before = 0;
    for_each_character(utf8, [&](char32_t point, ByteRange range) {
        const bool fresh =
            found.empty() || utf8proc_grapheme_break_stateful(static_cast<utf8proc_int32_t>(before),
                                                              static_cast<utf8proc_int32_t>(point), &state);
        if (fresh)
            found.push_back(range);
        else
            found.back().end = range.end;
        before = point;
    });
    return found;
}

// Composition and reordering stay within one grapheme, so each grapheme is normalized separately.
AlignedText in_normal_form(const AlignedText& text, NormalForm form) {
    if (is_ascii(text.text())) return text;
    AlignedText out;
    for (const ByteRange range : graphemes(text.text())) {
        const std::string_view part = std::string_view(text.text()).substr(range.begin, range.end - range.begin);
        const std::string whole = normalized(part, form);
        if (whole == part) {
            out.append(text, range);
            continue;
        }
        // If the characters normalize independently, each keeps its own source.
        std::string joined;
        std::vector<std::pair<std::string, ByteRange>> each;
        for_each_character(part, [&](char32_t, ByteRange c) {
            each.emplace_back(normalized(part.substr(c.begin, c.end - c.begin), form),
                              ByteRange{range.begin + c.begin, range.begin + c.end});
            joined += each.back().first;
        });
        if (joined == whole)
            for (const auto& [letters, from] : each) out.append(letters, text.source(from));
        else
            out.append(whole, text.source(range));
    }
    return out;
}

std::string lower_case_of(char32_t point) {
    if (point == U'\u0130') return "i\u0307";  // the only letter whose lower case is two code points
    const char32_t lower = static_cast<char32_t>(utf8proc_tolower(static_cast<utf8proc_int32_t>(point)));
    return to_utf8({&lower, 1});
}

bool is_white_space(char32_t p) {
    return (p >= 0x9 && p <= 0xd) || p == 0x20 || p == 0x85 || p == 0xa0 || p == 0x1680 ||
           (p >= 0x2000 && p <= 0x200a) || p == 0x2028 || p == 0x2029 || p == 0x202f || p == 0x205f || p == 0x3000;
}

bool is_nonspacing_mark(char32_t point) { return category(point) == UTF8PROC_CATEGORY_MN; }

bool is_mark(char32_t point) { return between(category(point), UTF8PROC_CATEGORY_MN, UTF8PROC_CATEGORY_ME); }

bool is_punctuation(char32_t p) {
    if (p < 0x80) return (p >= 33 && p <= 47) || (p >= 58 && p <= 64) || (p >= 91 && p <= 96) || (p >= 123 && p <= 126);
    return between(category(p), UTF8PROC_CATEGORY_PC, UTF8PROC_CATEGORY_PO);
}

bool is_number(char32_t point) { return between(category(point), UTF8PROC_CATEGORY_ND, UTF8PROC_CATEGORY_NO); }

bool is_word_character(char32_t point) {
    const auto in = [&](char32_t first, char32_t last) { return point >= first && point <= last; };
    // Letters in circles and squares; the joiners of Persian, Hindi and emoji.
    if (in(0x24B6, 0x24E9) || in(0x1F130, 0x1F149) || in(0x1F150, 0x1F169) || in(0x1F170, 0x1F189)) return true;
    if (in(0x200C, 0x200D)) return true;
    const utf8proc_category_t c = category(point);
    return between(c, UTF8PROC_CATEGORY_LU, UTF8PROC_CATEGORY_LO) || is_mark(point) || c == UTF8PROC_CATEGORY_ND ||
           c == UTF8PROC_CATEGORY_NL || c == UTF8PROC_CATEGORY_PC;
}

bool is_other(char32_t point) {
    const utf8proc_category_t c = category(point);
    return c == UTF8PROC_CATEGORY_CN || between(c, UTF8PROC_CATEGORY_CC, UTF8PROC_CATEGORY_CO);
}

bool is_cjk(char32_t p) {
    return (p >= 0x4e00 && p <= 0x9fff) || (p >= 0x3400 && p <= 0x4dbf) || (p >= 0x20000 && p <= 0x2a6df) ||
           (p >= 0x2a700 && p <= 0x2b73f) || (p >= 0x2b740 && p <= 0x2b81f) || (p >= 0x2b920 && p <= 0x2ceaf) ||
           (p >= 0xf900 && p <= 0xfaff) || (p >= 0x2f800 && p <= 0x2fa1f);
}

}  // namespace glassformer
