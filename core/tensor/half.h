#pragma once

#include <bit>
#include <cstdint>

namespace glassformer {

/// The float32 value of an IEEE 754 binary16 number (1 sign, 5 exponent, 10 fraction bits); exact, also where the
/// processor takes subnormal floats for zero. Without a branch, so that loops over it become loops over registers.
inline float float_from_half(std::uint16_t half) {
    const std::uint32_t sign = (half & 0x8000u) << 16, magnitude = half & 0x7fffu, exponent = magnitude >> 10;
    // Above the normal numbers all ones stay all ones: infinity, NaN.
    const std::uint32_t rebias = exponent == 0x1f ? 2u * (127 - 15) << 23 : (127u - 15) << 23;
    // Zero and subnormals are fraction × 2^-24, the smallest step of the numbers from 0.5 on.
    const float small = std::bit_cast<float>(0x3f000000u | magnitude) - 0.5f;
    const std::uint32_t bits = exponent == 0 ? std::bit_cast<std::uint32_t>(small) : (magnitude << 13) + rebias;
    return std::bit_cast<float>(bits | sign);
}

/// The float32 value of a bfloat16 number, which is the upper half of a float32; exact.
inline float float_from_bfloat16(std::uint16_t bits) { return std::bit_cast<float>(std::uint32_t{bits} << 16); }

}  // namespace glassformer
