#pragma once

#include <bit>
#include <cstdint>

namespace glassformer {

/// The float32 value of an IEEE 754 binary16 number (1 sign, 5 exponent, 10 fraction bits); exact.
inline float float_from_half(std::uint16_t half) {
    const std::uint32_t sign = (half & 0x8000u) << 16;
    const std::uint32_t exponent = (half >> 10) & 0x1fu;
    const std::uint32_t fraction = half & 0x3ffu;
    if (exponent == 0) {  // zero and subnormals: fraction × 2^-24
        const float magnitude = static_cast<float>(fraction) * 0x1p-24f;
        return std::bit_cast<float>(std::bit_cast<std::uint32_t>(magnitude) | sign);
    }
    const std::uint32_t wide_exponent = exponent == 0x1f ? 0xff : exponent + (127 - 15);  // all ones: infinity, NaN
    return std::bit_cast<float>(sign | wide_exponent << 23 | fraction << 13);
}

/// The float32 value of a bfloat16 number, which is the upper half of a float32; exact.
inline float float_from_bfloat16(std::uint16_t bits) { return std::bit_cast<float>(std::uint32_t{bits} << 16); }

}  // namespace glassformer
