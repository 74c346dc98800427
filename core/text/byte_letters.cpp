#include "core/text/byte_letters.h"

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

/// The byte that each character below U+0144 stands for; −1 for none.
constexpr std::array<int, 0x144> letter_byte = [] {
    std::array<int, 0x144> table{};
    table.fill(-1);
    for (std::size_t byte = 0; byte < letters.size(); ++byte) table[letters[byte]] = static_cast<int>(byte);
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
        const int byte = letter < letter_byte.size() ? letter_byte[letter] : -1;
        if (byte < 0) return std::nullopt;
        bytes.push_back(static_cast<char>(byte));
    }
    return bytes;
}

}  // namespace glassformer
