#include "core/text/utf8.h"

#include <utf8proc.h>

#include "core/base/error.h"

namespace glassformer {
namespace {

struct Lead {
    std::size_t length;  // bytes in the sequence; 0: no sequence may begin so
    char32_t bits;       // the part of the code point that the first byte holds
    char32_t smallest;   // a smaller code point would be an overlong form
};

Lead lead_of(unsigned char byte) {
    if (byte < 0x80) return {1, byte, 0};
    if (byte >= 0xC2 && byte < 0xE0) return {2, byte & 0x1Fu, 0x80};
    if (byte >= 0xE0 && byte < 0xF0) return {3, byte & 0x0Fu, 0x800};
    if (byte >= 0xF0 && byte < 0xF5) return {4, byte & 0x07u, 0x10000};
    return {0, 0, 0};
}

/// Reads the code point at offset and moves offset behind it; false, with offset left alone, when it is malformed.
bool next_point(std::string_view bytes, std::size_t& offset, char32_t& point) {
    const Lead lead = lead_of(static_cast<unsigned char>(bytes[offset]));
    if (lead.length == 0 || bytes.size() - offset < lead.length) return false;
    point = lead.bits;
    for (std::size_t i = 1; i < lead.length; ++i) {
        const auto byte = static_cast<unsigned char>(bytes[offset + i]);
        if ((byte & 0xC0) != 0x80) return false;
        point = (point << 6) | (byte & 0x3Fu);
    }
    const bool surrogate = point >= 0xD800 && point < 0xE000;
    if (point < lead.smallest || surrogate || point > 0x10FFFF) return false;
    offset += lead.length;
    return true;
}

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
    if (!is_valid_utf8(text, &bad)) throw Error("the text is not UTF-8 (at byte " + std::to_string(bad) + ")");
}

std::u32string code_points(std::string_view utf8) {
    std::u32string points;
    points.reserve(utf8.size());
    char32_t point = 0;
    for (std::size_t offset = 0; offset < utf8.size(); points.push_back(point)) {
        if (!next_point(utf8, offset, point)) {
            throw Error("the text is not UTF-8 (at byte " + std::to_string(offset) + ")");
        }
    }
    return points;
}

std::string to_utf8(std::u32string_view points) {
    std::string bytes;
    const auto put = [&bytes](char32_t value) { bytes.push_back(static_cast<char>(value)); };
    for (const char32_t point : points) {
        if (point < 0x80) {
            put(point);
            continue;
        }
        if (point < 0x800) {
            put(0xC0 | (point >> 6));
        } else if (point < 0x10000) {
            put(0xE0 | (point >> 12));
            put(0x80 | ((point >> 6) & 0x3F));
        } else {
            put(0xF0 | (point >> 18));
            put(0x80 | ((point >> 12) & 0x3F));
            put(0x80 | ((point >> 6) & 0x3F));
        }
        put(0x80 | (point & 0x3F));
    }
    return bytes;
}

char32_t lower_case(char32_t point) {
    if (point < 0x80) return point >= U'A' && point <= U'Z' ? point + 0x20 : point;
    return static_cast<char32_t>(utf8proc_tolower(static_cast<utf8proc_int32_t>(point)));
}

}  // namespace glassformer
