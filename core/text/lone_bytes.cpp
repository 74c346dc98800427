#include "core/text/lone_bytes.h"

#include <algorithm>

#include "core/text/utf8.h"

namespace glassformer {

namespace {

constexpr char32_t first_private = 0x10F000;  // + the byte, from 80 to FF
constexpr std::string_view code_opens = "⟨", code_closes = "⟩";
constexpr const char* may_begin = "\xE2\xF4";  // the first bytes of ⟨ and of a private character

int hex_digit(char c) { return c >= '0' && c <= '9' ? c - '0' : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1; }

/// The bytes that stand for themselves at an offset, and the length of what is written there; empty for other text.
struct Written {
    std::string bytes;
    std::size_t length = 0;
};

Written written_at(std::string_view utf8, std::size_t at) {
    constexpr std::size_t length = code_opens.size() + 2 + code_closes.size();
    const std::string_view code = utf8.substr(at, length);
    if (code.size() == length && code.starts_with(code_opens) && code.ends_with(code_closes)) {
        const int high = hex_digit(code[code_opens.size()]), low = hex_digit(code[code_opens.size() + 1]);
        // Bytes below 80 are characters and are never written this way.
        if (high >= 8 && low >= 0) return {std::string(1, static_cast<char>(16 * high + low)), length};
    }
    // A private character of the text itself is not a byte: it is written as its own four.
    const std::size_t whole = character_length(utf8, at);
    if (lone_byte(character_at(utf8, at))) return {std::string(utf8.substr(at, whole)), whole};
    return {};
}

/// Calls text(range) and byte(private character, range) for the stretches of well-formed text, in order.
template <class Text, class Byte>
void for_each_stretch(std::string_view utf8, const Text& text, const Byte& byte) {
    std::size_t done = 0;
    for (std::size_t at = utf8.find_first_of(may_begin); at != std::string_view::npos;
         at = utf8.find_first_of(may_begin, std::max(at + 1, done))) {
        const Written written = written_at(utf8, at);
        if (written.length == 0) continue;
        text(ByteRange{done, at});
        done = at + written.length;
        for (const char one : written.bytes) {
            const char32_t point = first_private + static_cast<unsigned char>(one);
            byte(to_utf8({&point, 1}), ByteRange{at, done});
        }
    }
    text(ByteRange{done, utf8.size()});
}

}  // namespace

std::optional<unsigned char> lone_byte(char32_t point) {
    if (point < first_private + 0x80 || point > first_private + 0xFF) return std::nullopt;
    return static_cast<unsigned char>(point - first_private);
}

std::string with_lone_bytes(std::string_view utf8) {
    std::string out;
    for_each_stretch(
        utf8, [&](ByteRange range) { out += utf8.substr(range.begin, range.end - range.begin); },
        [&](const std::string& character, ByteRange) { out += character; });
    return out;
}

AlignedText aligned_with_lone_bytes(std::string_view utf8) {
    const AlignedText typed(utf8);
    if (utf8.find_first_of(may_begin) == std::string_view::npos) return typed;
    AlignedText out;
    for_each_stretch(
        utf8, [&](ByteRange range) { out.append(typed, range); },
        [&](const std::string& character, ByteRange range) { out.append(character, range); });
    return out;
}

std::string bytes_of_lone(std::string_view text) {
    constexpr char first_byte = '\xF4';  // of every private character
    if (text.find(first_byte) == std::string_view::npos) return std::string(text);
    std::string bytes;
    for_each_character(text, [&](char32_t point, ByteRange range) {
        if (const std::optional<unsigned char> byte = lone_byte(point))
            bytes += static_cast<char>(*byte);
        else
            bytes += text.substr(range.begin, range.end - range.begin);
    });
    return bytes;
}

}  // namespace glassformer
