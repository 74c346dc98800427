#pragma once

#include <array>
#include <string>
#include <utility>

#include "core/base/rng.h"
#include "core/text/utf8.h"

namespace glassformer {

/// Returns 1 to 40 characters from all over Unicode: letters and blanks, control characters, accents and combining
/// marks, East Asian scripts, emoji with their joiners, private use, and any code point at all. The same number gives
/// the same text.
inline std::string random_text(std::uint64_t number) {
    static constexpr std::array<std::pair<char32_t, char32_t>, 12> ranges = {{{U'a', U'z'},
                                                                              {U' ', U'@'},
                                                                              {0, 0x20},
                                                                              {0x7F, 0x17F},
                                                                              {0x300, 0x36F},
                                                                              {0x5D0, 0x64A},
                                                                              {0x1100, 0x11FF},
                                                                              {0x2000, 0x206F},
                                                                              {0x4E00, 0x9FFF},
                                                                              {0xE000, 0xFFFF},
                                                                              {0x1F300, 0x1FAFF},
                                                                              {0, 0x10FFFF}}};
    Rng rng(2016, number);
    std::u32string points;
    for (std::uint64_t left = 1 + rng.below(40); left > 0; --left) {
        const auto [first, last] = ranges[rng.below(ranges.size())];
        const auto point = static_cast<char32_t>(first + rng.below(last - first + 1));
        const bool surrogate = point >= 0xD800 && point < 0xE000;
        points.push_back(surrogate ? U'x' : point);
    }
    return to_utf8(points);
}

}  // namespace glassformer
