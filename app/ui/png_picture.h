#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace glassformer::app {

/// The pixels of a PNG: red, green, blue and alpha, one byte each, row by row from the top.
struct PngPicture {
    int width = 0, height = 0;
    std::vector<std::uint8_t> rgba;
};

/// Limits on the number of pixels and on each side: what a screen can show and every graphics card can hold.
inline constexpr int most_picture_pixels = 4'000'000, most_picture_side = 4096;

/// Reads a PNG from an untrusted source. Throws Error if it is not a PNG, damaged, truncated, or larger than the limits
/// above, which is checked before memory is allocated.
PngPicture read_png(std::string_view bytes);

}  // namespace glassformer::app
