#pragma once

// e^x, σ and tanh for several floats at once, written in the vector extension of GCC and Clang, and loops that use
// them. A cell's result does not depend on its place in the loop.

#include <bit>
#include <cstdint>
#include <cstring>

namespace glassformer::kernel {

#if defined(__AVX__)
constexpr std::int64_t float_lanes = 8;
#else
constexpr std::int64_t float_lanes = 4;
#endif
using Floats = float __attribute__((vector_size(sizeof(float) * float_lanes)));
using Bits = std::uint32_t __attribute__((vector_size(sizeof(float) * float_lanes)));

/// The first `count` of p's floats (all of them if there are enough); zeros after them.
inline Floats load_floats(const float* p, std::int64_t count = float_lanes) {
    Floats value{};
    if (count >= float_lanes)
        std::memcpy(&value, p, sizeof value);
    else
        for (std::int64_t i = 0; i < count; ++i) value[i] = p[i];
    return value;
}
inline void store_floats(float* p, const Floats& value, std::int64_t count = float_lanes) {
    if (count >= float_lanes)
        std::memcpy(p, &value, sizeof value);
    else
        for (std::int64_t i = 0; i < count; ++i) p[i] = value[i];
}

/// e^x to 2e-7 relative; exactly 0 below −87.3, where float32's normal numbers end, and so for −∞ too. The polynomial
/// is that of Cephes' expf.
inline Floats exp_of(Floats x) {
    constexpr float lowest = -87.3f, highest = 88.3f, log2_e = 1.44269504f;
    // Adding 1.5 · 2^23 leaves the nearest integer in the low bits.
    constexpr float round = 12582912.0f;
    Floats z = x < lowest ? Floats{} + lowest : x;
    z = z > highest ? Floats{} + highest : z;
    const Floats shifted = z * log2_e + round, n = shifted - round;
    const Floats r = (z - n * 0.693359375f) + n * 2.12194440e-4f;
    Floats p = 1.9875691500e-4f * r + 1.3981999507e-3f;
    p = p * r + 8.3334519073e-3f;
    p = p * r + 4.1665795894e-2f;
    p = p * r + 1.6666665459e-1f;
    p = p * r + 5.0000001201e-1f;
    const Floats fraction = p * (r * r) + (r + 1.0f);
    const Floats power = std::bit_cast<Floats>((std::bit_cast<Bits>(shifted) + 127u) << 23);
    return x < lowest ? Floats{} : fraction * power;
}

/// σ(x) = 1 / (1 + e^−x), to 3e-7 relative; below −88 nothing is left of it.
inline Floats sigmoid_of(Floats x) { return 1.0f / (1.0f + exp_of(-x)); }

/// tanh x to 3e-7 relative, even near 0, where a polynomial (Cephes' tanhf) takes over.
inline Floats tanh_of(Floats x) {
    const Bits sign = std::bit_cast<Bits>(x) & 0x80000000u;
    const Floats size = std::bit_cast<Floats>(std::bit_cast<Bits>(x) & 0x7fffffffu), square = size * size;
    const Floats far = 1.0f - 2.0f / (exp_of(2.0f * size) + 1.0f);
    Floats p = -5.70498872745e-3f * square + 2.06390887954e-2f;
    p = p * square - 5.37397155531e-2f;
    p = p * square + 1.33314422036e-1f;
    p = p * square - 3.33332819422e-1f;
    const Floats near = p * square * size + size;
    return std::bit_cast<Floats>(std::bit_cast<Bits>(size < 0.625f ? near : far) | sign);
}

/// Calls body(first cell, cells) for whole registers of cells, then for the remainder.
template <class Body>
void for_lanes(std::int64_t begin, std::int64_t end, const Body& body) {
    for (; begin + float_lanes <= end; begin += float_lanes) body(begin, float_lanes);
    if (begin < end) body(begin, end - begin);
}

/// Σ e^(x − top).
inline float sum_of_exp(const float* x, std::int64_t n, float top) {
    Floats sum{};
    for_lanes(0, n, [&](std::int64_t i, std::int64_t count) {
        Floats part = exp_of(load_floats(x + i, count) - top);
        for (std::int64_t l = count; l < float_lanes; ++l) part[l] = 0.0f;
        sum += part;
    });
    float total = 0.0f;
    for (std::int64_t l = 0; l < float_lanes; ++l) total += sum[l];
    return total;
}

}  // namespace glassformer::kernel
