#include "core/text/byte_letters.h"

#include <algorithm>
#include <array>

#include "core/text/utf8.h"

namespace glassformer {
namespace {

constexpr std::array<char32_t, 256> letters = [] {
    std::array<char32_t, 256> table{};
    char32_t next = 0x100;
    for (char32_t byte = 0; byte < 256; ++byte) {
        const bool printable = (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || byte >= 174;
        table[byte] = printable ? byte : next++;
    }
    return table;
}();

}  // namespace

std::string byte_letters(std::string_view bytes) {
    std::u32string text;
    for (const char byte : bytes) text.push_back(letters[static_cast<unsigned char>(byte)]);
    return to_utf8(text);
}

std::optional<std::string> letter_bytes(std::string_view utf8) {
    if (!is_valid_utf8(utf8)) return std::nullopt;
    std::string bytes;
    for (const char32_t letter : code_points(utf8)) {
        const auto found = std::ranges::find(letters, letter);
        if (found == letters.end()) return std::nullopt;
        bytes.push_back(static_cast<char>(found - letters.begin()));
    }
    return bytes;
}

}  // namespace glassformer
