#pragma once

#include <cstdint>
#include <string>

namespace glassformer {

/// PNG files made by hand, valid and invalid.

inline std::string big_endian(std::uint32_t n) {
    std::string bytes;
    for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(n >> shift & 255);
    return bytes;
}

inline std::string png_chunk(const std::string& type, const std::string& data) {
    std::uint32_t sum = ~0u;
    for (const char c : type + data) {
        sum ^= static_cast<unsigned char>(c);
        for (int bit = 0; bit < 8; ++bit) sum = sum >> 1 ^ (sum & 1 ? 0xEDB88320u : 0u);
    }
    return big_endian(static_cast<std::uint32_t>(data.size())) + type + data + big_endian(~sum);
}

/// Returns the start of a PNG file with eight bits each for red, green and blue.
inline std::string png_header(std::uint32_t width, std::uint32_t height) {
    return "\x89PNG\r\n\x1a\n" +
           png_chunk("IHDR", big_endian(width) + big_endian(height) + std::string("\x08\x02\0\0\0", 5));
}

/// Returns a picture of one colour, 0xRRGGBB, small enough for one uncompressed block: height · (1 + 3 width) < 65536.
inline std::string png_of(int width, int height, std::uint32_t colour) {
    std::string row(1, '\0'), rows;
    for (int x = 0; x < width; ++x) row += big_endian(colour).substr(1);
    for (int y = 0; y < height; ++y) rows += row;
    std::uint32_t a = 1, b = 0;
    for (const char c : rows) a = (a + static_cast<unsigned char>(c)) % 65521, b = (b + a) % 65521;
    const auto two = [](std::size_t n) {
        return std::string{static_cast<char>(n & 255), static_cast<char>(n >> 8 & 255)};
    };
    const std::string stream = "\x78\x01\x01" + two(rows.size()) + two(~rows.size()) + rows + big_endian(b << 16 | a);
    return png_header(static_cast<std::uint32_t>(width), static_cast<std::uint32_t>(height)) +
           png_chunk("IDAT", stream) + png_chunk("IEND", "");
}

}  // namespace glassformer
