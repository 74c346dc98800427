#include "core/text/words.h"

#include <algorithm>
#include <numeric>

#include "core/text/unicode.h"
#include "core/text/utf8.h"

namespace glassformer {

namespace {

bool is_blank(char32_t point) {
    const bool control = point < 0x20 || (point >= 0x7F && point < 0xA0);
    const bool wide = (point >= 0x2000 && point <= 0x200B) || point == 0x2028 || point == 0x2029 || point == 0x202F;
    return control || wide || point == U' ' || point == 0xA0 || point == 0x3000 || point == 0xFEFF;
}

bool is_apostrophe(char32_t point) { return point == U'\'' || point == 0x2019; }

/// Punctuation and symbols, each of which is its own word.
bool is_mark_alone(char32_t point) {
    const bool letter = (point >= U'a' && point <= U'z') || (point >= U'A' && point <= U'Z');
    const bool digit = point >= U'0' && point <= U'9';
    if (point < 0x80) return !letter && !digit && !is_blank(point);
    const bool latin1 = point > 0xA0 && point < 0xC0 && point != 0xAA && point != 0xB5 && point != 0xBA;
    if (latin1 || point == 0xD7 || point == 0xF7 || (point >= 0x2010 && point <= 0x2BFF)) return true;
    const bool within_word = point == 0x5F3 || point == 0x5F4;  // in Hebrew abbreviations
    return point >= 0x0370 && !within_word && is_punctuation(point);
}

bool is_letter(char32_t point) { return !is_blank(point) && !is_mark_alone(point); }

}  // namespace

bool is_unspaced_script(char32_t p) {
    const bool wide_mark = (p >= 0x3000 && p <= 0x303F) || (p >= 0xFF00 && p <= 0xFFEF);
    const bool kana = p >= 0x3040 && p <= 0x30FF;
    const bool south_east =
        (p >= 0x0E00 && p <= 0x0EFF) || (p >= 0x1000 && p <= 0x109F) || (p >= 0x1780 && p <= 0x17FF);
    return is_cjk(p) || wide_mark || kana || south_east;
}

bool may_break_between(char32_t before, char32_t after) {
    constexpr std::u32string_view closing = U"、。〉》」』】〕！），．：；？］｝ー…”’,.;:!?)%";
    constexpr std::u32string_view opening = U"〈《「『【〔（［｛“‘([";
    if (closing.find(after) != std::u32string_view::npos || opening.find(before) != std::u32string_view::npos)
        return false;
    const auto stands_alone = [](char32_t p) {
        return is_cjk(p) || (p >= 0x3000 && p <= 0x30FF) || (p >= 0xFF00 && p <= 0xFFEF);
    };
    return stands_alone(before) || (stands_alone(after) && !(before >= U'0' && before <= U'9'));
}

std::vector<std::string> split_words(std::string_view utf8) {
    const std::u32string text = code_points(utf8);
    std::vector<std::string> words;
    std::u32string word;
    const auto finish = [&] {
        if (!word.empty()) words.push_back(to_utf8(word));
        word.clear();
    };
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool inside = !word.empty() && i + 1 < text.size() && is_letter(text[i + 1]);
        if (is_letter(text[i])) {
            word.push_back(lower_case(text[i]));
        } else if (is_apostrophe(text[i]) && inside) {
            word.push_back(U'\'');
        } else {
            finish();
            if (!is_blank(text[i])) words.push_back(to_utf8(std::u32string_view(&text[i], 1)));
        }
    }
    finish();
    return words;
}

std::string join_words(std::span<const std::string> words) {
    static constexpr std::u32string_view closing = U".,;:!?)،؛؟";
    std::string text;
    char32_t last = 0;
    for (const std::string& word : words) {
        const std::u32string points = code_points(word);
        const char32_t first = points.empty() ? U' ' : points.front();
        const bool closes = points.size() == 1 && closing.find(first) != std::u32string_view::npos;
        const bool apart = !closes && !(is_unspaced_script(last) && is_unspaced_script(first));
        if (!text.empty() && apart) text += ' ';
        text += word;
        last = points.empty() ? U' ' : points.back();
    }
    return text;
}

std::string lower_case(std::string_view utf8) {
    std::u32string points = code_points(utf8);
    for (char32_t& point : points) point = lower_case(point);
    return to_utf8(points);
}

std::size_t edit_distance(std::u32string_view from, std::u32string_view to) {
    // row[j] is the distance from the first i letters of `from` to the first j of `to`; the two previous rows are kept.
    std::vector<std::size_t> before_last(to.size() + 1), last(to.size() + 1), row(to.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 1; i <= from.size(); ++i) {
        before_last.swap(last);
        last.swap(row);
        row[0] = i;
        for (std::size_t j = 1; j <= to.size(); ++j) {
            const std::size_t replace = last[j - 1] + (from[i - 1] == to[j - 1] ? 0 : 1);
            row[j] = std::min({replace, last[j] + 1, row[j - 1] + 1});
            const bool swapped = i > 1 && j > 1 && from[i - 1] == to[j - 2] && from[i - 2] == to[j - 1];
            if (swapped) row[j] = std::min(row[j], before_last[j - 2] + 1);
        }
    }
    return row[to.size()];
}

}  // namespace glassformer
