#include "core/text/words.h"

#include "core/text/utf8.h"

namespace glassformer {
namespace {

bool is_blank(char32_t point) {
    const bool control = point < 0x20 || (point >= 0x7F && point < 0xA0);
    const bool wide = (point >= 0x2000 && point <= 0x200B) || point == 0x2028 || point == 0x2029 || point == 0x202F;
    return control || wide || point == U' ' || point == 0xA0 || point == 0x3000 || point == 0xFEFF;
}

bool is_apostrophe(char32_t point) { return point == U'\'' || point == 0x2019; }

bool is_punctuation(char32_t point) {
    const bool letter = (point >= U'a' && point <= U'z') || (point >= U'A' && point <= U'Z');
    const bool digit = point >= U'0' && point <= U'9';
    if (point < 0x80) return !letter && !digit && !is_blank(point);
    const bool latin1 = point > 0xA0 && point < 0xC0 && point != 0xAA && point != 0xB5 && point != 0xBA;
    return latin1 || point == 0xD7 || point == 0xF7 || (point >= 0x2010 && point <= 0x2BFF);
}

bool is_letter(char32_t point) { return !is_blank(point) && !is_punctuation(point); }

}  // namespace

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
    static constexpr std::string_view closing = ".,;:!?)";
    std::string text;
    for (const std::string& word : words) {
        const bool closes = word.size() == 1 && closing.find(word[0]) != std::string_view::npos;
        if (!text.empty() && !closes) text += ' ';
        text += word;
    }
    return text;
}

std::string lower_case(std::string_view utf8) {
    std::u32string points = code_points(utf8);
    for (char32_t& point : points) point = lower_case(point);
    return to_utf8(points);
}

}  // namespace glassformer
