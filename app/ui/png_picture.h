#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace glassformer::app {

/// The pixels of a PNG: red, green, blue and opacity, a byte each, row by row from the top.
struct PngPicture {
    int width = 0, height = 0;
    std::vector<std::uint8_t> rgba;
};

/// At most so many pixels, and so many along a side: what a screen has room for, and every graphics card.
inline constexpr int most_picture_pixels = 4'000'000, most_picture_side = 4096;

/// Reads a PNG that anybody may have made. Throws Error that says what is wrong: no PNG, damaged, cut, or larger than
/// the above, which is seen before there is memory for it.
PngPicture read_png(std::string_view bytes);

}  // namespace glassformer::app
