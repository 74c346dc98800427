#include "core/text/utf8.h"

#include <utf8proc.h>

#include <array>
#include <iterator>

#include "core/base/error.h"

namespace glassformer {

namespace {

/// Reads the code point at offset and moves offset past it; returns false, and leaves offset alone, if malformed.
bool next_point(std::string_view bytes, std::size_t& offset, char32_t& point) {
    utf8proc_int32_t found = -1;
    const auto* const at = reinterpret_cast<const utf8proc_uint8_t*>(bytes.data() + offset);
    const utf8proc_ssize_t length =
        utf8proc_iterate(at, std::ssize(bytes) - static_cast<std::ptrdiff_t>(offset), &found);
    if (length < 1) return false;
    point = static_cast<char32_t>(found);
    offset += static_cast<std::size_t>(length);
    return true;
}

constexpr std::array<char32_t, 256> letters = [] {
    std::array<char32_t, 256> table{};
    char32_t next = 0x100;
    for (char32_t byte = 0; byte < 256; ++byte) {
        const bool printable = (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || byte >= 174;
        table[byte] = printable ? byte : next++;
    }
    return table;
}();

/// The byte that each character below U+0144 stands for; −1 for none.
constexpr std::array<int, 0x144> letter_byte = [] {
    std::array<int, 0x144> table{};
    table.fill(-1);
    for (std::size_t byte = 0; byte < letters.size(); ++byte) table[letters[byte]] = static_cast<int>(byte);
    return table;
}();

}  // namespace

bool is_valid_utf8(std::string_view bytes, std::size_t* bad_offset) {
    char32_t point = 0;
    for (std::size_t offset = 0; offset < bytes.size();) {
        if (next_point(bytes, offset, point)) continue;
        if (bad_offset) *bad_offset = offset;
        return false;
    }
    return true;
}

void check_utf8(std::string_view text) {
    std::size_t bad = 0;
    if (!is_valid_utf8(text, &bad)) throw Error("the text is not UTF-8 (at byte {1})", bad);
}

std::size_t character_start(std::string_view utf8, std::size_t at) {
    while (at > 0 && at < utf8.size() && continues_character(utf8[at])) --at;
    return at;
}

std::u32string code_points(std::string_view utf8) {
    std::u32string points;
    points.reserve(utf8.size());
    char32_t point = 0;
    for (std::size_t offset = 0; offset < utf8.size(); points.push_back(point)) {
        if (!next_point(utf8, offset, point)) throw Error("the text is not UTF-8 (at byte {1})", offset);
    }
    return points;
}

std::string to_utf8(std::u32string_view points) {
    std::string bytes;
    for (const char32_t point : points) {
        utf8proc_uint8_t encoded[4];
        const utf8proc_ssize_t length = utf8proc_encode_char(static_cast<utf8proc_int32_t>(point), encoded);
        bytes.append(reinterpret_cast<const char*>(encoded), static_cast<std::size_t>(length));
    }
    return bytes;
}

char32_t lower_case(char32_t point) {
    if (point < 0x80) return point >= U'A' && point <= U'Z' ? point + 0x20 : point;
    return static_cast<char32_t>(utf8proc_tolower(static_cast<utf8proc_int32_t>(point)));
}

std::string byte_letters(std::string_view bytes) {
    std::u32string text;
    for (const char byte : bytes) text.push_back(letters[static_cast<unsigned char>(byte)]);
    return to_utf8(text);
}

std::optional<std::string> letter_bytes(std::string_view utf8) {
    if (!is_valid_utf8(utf8)) return std::nullopt;
    std::string bytes;
    for (const char32_t letter : code_points(utf8)) {
        const int byte = letter < letter_byte.size() ? letter_byte[letter] : -1;
        if (byte < 0) return std::nullopt;
        bytes.push_back(static_cast<char>(byte));
    }
    return bytes;
}

}  // namespace glassformer
