#include "core/text/shown_bytes.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <utility>

#include "core/base/filled.h"
#include "core/base/mark_text.h"
#include "core/text/utf8.h"

namespace glassformer {
namespace {

/// Calls whole(range) for valid UTF-8 and broken(byte) for each other byte, in order.
template <class Whole, class Broken>
void for_each_part(std::string_view bytes, const Whole& whole, const Broken& broken) {
    while (!bytes.empty()) {
        std::size_t length = bytes.size();
        const bool valid = is_valid_utf8(bytes, &length);
        whole(bytes.substr(0, length));
        if (!valid) broken(static_cast<unsigned char>(bytes[length]));
        bytes.remove_prefix(std::min(length + 1, bytes.size()));
    }
}

std::string shown_byte(unsigned char byte) {
    static constexpr std::string_view digits = "0123456789ABCDEF";
    return std::string("⟨") + digits[byte >> 4] + digits[byte & 0xF] + "⟩";
}

bool is_control(char32_t point) { return point < 0x20 || (point >= 0x7F && point < 0xA0); }

/// Invisible characters that change how text reads. Not included: the marks U+200E and U+200F, which Arabic and Hebrew
/// need, and the joiners U+200C and U+200D of Persian, Hindi and emoji.
bool is_hidden(char32_t point) {
    constexpr std::array<std::pair<char32_t, char32_t>, 6> ranges{{{0x200B, 0x200B},      // zero-width space
                                                                   {0x2028, 0x202E},      // line separators, directions
                                                                   {0x2060, 0x206F},      // joiners, directions
                                                                   {0xFEFF, 0xFEFF},      // byte-order mark
                                                                   {0xFFF9, 0xFFFB},      // annotations
                                                                   {0xE0000, 0xE007F}}};  // tags
    return (is_control(point) && point != '\t') ||
           std::ranges::any_of(ranges, [&](auto range) { return point >= range.first && point <= range.second; });
}

}  // namespace

std::string shown_bytes(std::string_view bytes) {
    std::string shown;
    const auto show_character = [&](char32_t point) {
        const std::string character = to_utf8(std::u32string_view(&point, 1));
        if (!is_control(point) && !is_hidden(point)) {
            shown += character;
            return;
        }
        for (const char byte : character) shown += shown_byte(static_cast<unsigned char>(byte));
    };
    for_each_part(
        bytes, [&](std::string_view whole) { std::ranges::for_each(code_points(whole), show_character); },
        [&](unsigned char byte) { shown += shown_byte(byte); });
    return shown;
}

std::string hidden_in(std::string_view text) {
    if (std::size_t at = 0; !is_valid_utf8(text, &at))
        return filled_with(N_("the byte {1} is not UTF-8; save the file as UTF-8"),
                           shown_byte(static_cast<unsigned char>(text[at])));
    for (const char32_t point : code_points(text))
        if (is_hidden(point)) {
            std::array<char, 16> number{};
            std::snprintf(number.data(), number.size(), "U+%04X", static_cast<unsigned>(point));
            return filled_with(N_("the character {1} is invisible; remove it"), number.data());
        }
    return {};
}

std::string as_utf8(std::string_view bytes) {
    std::string text;
    for_each_part(
        bytes, [&](std::string_view whole) { text += whole; }, [&](unsigned char byte) { text += shown_byte(byte); });
    return text;
}

std::string in_quotes(std::string_view bytes) {
    constexpr std::size_t longest = 60;
    const std::size_t length = character_start(bytes, std::min(bytes.size(), longest));
    return "\"" + shown_bytes(bytes.substr(0, length)) + (length < bytes.size() ? "…" : "") + "\"";
}

}  // namespace glassformer
