// The bounds of character ranges: one that is off by one takes a letter for a mark.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "core/text/unicode.h"
#include "core/text/utf8.h"
#include "core/text/words.h"

using namespace glassformer;

namespace {

struct Range {
    char32_t first, last;
};

bool in(const std::vector<Range>& ranges, char32_t p) {
    for (const Range& r : ranges)
        if (r.first <= p && p <= r.last) return true;
    return false;
}

/// Returns both ends of every range, and their neighbours.
std::vector<char32_t> ends_of(const std::vector<Range>& ranges) {
    std::vector<char32_t> points;
    for (const Range& r : ranges)
        points.insert(points.end(),
                      {static_cast<char32_t>(r.first - 1), r.first, r.last, static_cast<char32_t>(r.last + 1)});
    return points;
}

const std::vector<Range> chinese = {{0x3400, 0x4DBF},   {0x4E00, 0x9FFF},   {0x20000, 0x2A6DF}, {0x2A700, 0x2B73F},
                                    {0x2B740, 0x2B81F}, {0x2B920, 0x2CEAF}, {0xF900, 0xFAFF},   {0x2F800, 0x2FA1F}};

std::string around(char32_t point) { return "a" + to_utf8(std::u32string_view(&point, 1)) + "b"; }

}  // namespace

TEST_CASE("unicode ranges: Chinese characters, as BERT's tokenizer counts them") {
    for (const char32_t p : ends_of(chinese)) {
        CAPTURE(static_cast<std::uint32_t>(p));
        CHECK(is_cjk(p) == in(chinese, p));
    }
}

TEST_CASE("unicode ranges: scripts without spaces between words") {
    std::vector<Range> ranges = {{0x3000, 0x303F}, {0xFF00, 0xFFEF}, {0x3040, 0x30FF},
                                 {0x0E00, 0x0EFF}, {0x1000, 0x109F}, {0x1780, 0x17FF}};
    ranges.insert(ranges.end(), chinese.begin(), chinese.end());
    for (const char32_t p : ends_of(ranges)) {
        CAPTURE(static_cast<std::uint32_t>(p));
        CHECK(is_unspaced_script(p) == in(ranges, p));
    }
}

TEST_CASE("unicode ranges: spaces separate words, and are not words") {
    const std::vector<Range> blanks = {{0x00, 0x20},     {0x7F, 0xA0},     {0x2000, 0x200B}, {0x2028, 0x2029},
                                       {0x202F, 0x202F}, {0x3000, 0x3000}, {0xFEFF, 0xFEFF}};
    for (const char32_t p : ends_of(blanks)) {
        if (p > 0x10FFFF) continue;  // before 0
        CAPTURE(static_cast<std::uint32_t>(p));
        const std::vector<std::string> two{"a", "b"};
        CHECK((split_words(around(p)) == two) == in(blanks, p));
    }
}

TEST_CASE("unicode ranges: a punctuation mark is a word of its own, a letter or digit is part of one") {
    const std::vector<Range> letters = {{'a', 'z'},   {'A', 'Z'},   {'0', '9'},   {0xAA, 0xAA},  {0xB5, 0xB5},
                                        {0xBA, 0xBA}, {0xC0, 0xD6}, {0xD8, 0xF6}, {0xF8, 0x36F}, {0x5F3, 0x5F4}};
    for (const char32_t p : ends_of(letters)) {
        CAPTURE(static_cast<std::uint32_t>(p));
        if (p == 0x5F2 || p == 0x370) continue;  // letters, too
        if (p == 0x5F5) continue;                // unassigned
        CHECK((split_words(around(p)).size() == 1) == in(letters, p));
    }
    for (const char32_t p : {U'\x2010', U'\x2BFF', U'\x2211', U'\x3001'}) {
        CAPTURE(static_cast<std::uint32_t>(p));
        CHECK(split_words(around(p)).size() == 3);
    }
    CHECK(split_words(around(0x2C00)).size() == 1);  // a letter of Glagolitic, after the signs
}

TEST_CASE("unicode ranges: where a line may break without a space") {
    for (const auto& [text, breaks] : {std::pair(U"我们", true),
                                       {U"们，", false},
                                       {U"，他", true},
                                       {U"“他", false},
                                       {U"他”", false},
                                       {U"”他", true},
                                       {U"（一", false},
                                       {U"t的", true},
                                       {U"的t", true},
                                       {U"6个", false},
                                       {U"at", false},
                                       {U"a ", false},
                                       {U"5%", false}}) {
        CAPTURE(to_utf8(text));
        CHECK(may_break_between(text[0], text[1]) == breaks);
    }
}
