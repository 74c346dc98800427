#include "core/text/lone_bytes.h"

#include "core/text/utf8.h"

namespace glassformer {

namespace {

constexpr char32_t first_private = 0x10F000;  // + the byte
constexpr std::string_view code_opens = "⟨", code_closes = "⟩";

int hex_digit(char c) { return c >= '0' && c <= '9' ? c - '0' : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1; }

/// Calls text(range) and byte(character, range) for the stretches of a text, in order. Bytes below 80 are characters
/// and are never written this way.
template <class Text, class Byte>
void for_each_stretch(std::string_view utf8, const Text& text, const Byte& byte) {
    constexpr std::size_t length = code_opens.size() + 2 + code_closes.size();
    std::size_t done = 0;
    for (std::size_t at = utf8.find(code_opens); at != std::string_view::npos; at = utf8.find(code_opens, at + 1)) {
        if (at + length > utf8.size() ||
            utf8.substr(at + length - code_closes.size(), code_closes.size()) != code_closes)
            continue;
        const int high = hex_digit(utf8[at + code_opens.size()]), low = hex_digit(utf8[at + code_opens.size() + 1]);
        if (high < 8 || low < 0) continue;
        const char32_t point = first_private + static_cast<char32_t>(16 * high + low);
        text(ByteRange{done, at});
        byte(to_utf8({&point, 1}), ByteRange{at, at + length});
        done = at + length;
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
    if (utf8.find(code_opens) == std::string_view::npos) return typed;
    AlignedText out;
    for_each_stretch(
        utf8, [&](ByteRange range) { out.append(typed, range); },
        [&](const std::string& character, ByteRange range) { out.append(character, range); });
    return out;
}

std::string bytes_of_lone(std::string_view text) {
    constexpr char first_byte = '\xF4';  // of every private one
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
