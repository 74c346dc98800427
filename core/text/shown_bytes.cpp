#include "core/text/shown_bytes.h"

#include <algorithm>

#include "core/text/utf8.h"

namespace glassformer {
namespace {

/// Calls whole(stretch) for what is UTF-8 and broken(byte) for each byte that is not, in their order.
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

}  // namespace

std::string shown_bytes(std::string_view bytes) {
    std::string shown;
    const auto show_character = [&](char32_t point) {
        const std::string character = to_utf8(std::u32string_view(&point, 1));
        if (!is_control(point)) {
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

std::string as_utf8(std::string_view bytes) {
    std::string text;
    for_each_part(
        bytes, [&](std::string_view whole) { text += whole; }, [&](unsigned char byte) { text += shown_byte(byte); });
    return text;
}

std::string in_quotes(std::string_view bytes) {
    constexpr std::size_t longest = 60;
    std::size_t length = std::min(bytes.size(), longest);
    // Not in the middle of a character.
    while (length < bytes.size() && length > 0 && (static_cast<unsigned char>(bytes[length]) & 0xC0) == 0x80) --length;
    return "\"" + shown_bytes(bytes.substr(0, length)) + (length < bytes.size() ? "…" : "") + "\"";
}

}  // namespace glassformer
