#pragma once

// Which cells dropout drops. The decision depends on four numbers and on nothing before it, so it is the same on any
// number of threads and in the backward pass, and any step can be replayed alone.

#include <cstdint>

namespace glassformer::kernel {

/// 32 random bits for (seed, step, stream, cell): pcg4d of Jarzynski & Olano, "Hash Functions for GPU Rendering"
/// (2020). It uses only additions, products, shifts and exclusive-or of wrapping 32-bit unsigned integers, so GLSL's
/// uint gives the same bits:
///   1. each word becomes 1664525 · word + 1013904223;
///   2. with the words called x, y, z, w, in this order: x += y·w, y += z·x, z += x·y, w += y·z;
///   3. each word is exclusive-ored with itself shifted right by 16;
///   4. step 2 again; the hash is x.
/// `cell` is the row-major offset modulo 2^32.
constexpr std::uint32_t dropout_hash(std::uint32_t seed, std::uint32_t step, std::uint32_t stream, std::uint32_t cell) {
    constexpr std::uint32_t factor = 1664525u, increment = 1013904223u;
    std::uint32_t x = seed * factor + increment, y = step * factor + increment, z = stream * factor + increment,
                  w = cell * factor + increment;
    x += y * w, y += z * x, z += x * y, w += y * z;
    x ^= x >> 16, y ^= y >> 16, z ^= z >> 16, w ^= w >> 16;
    x += y * w;  // y, z and w would follow, but only x is used
    return x;
}

/// A cell is dropped if its hash is below this: rate · 2^32, for a rate in [0, 1).
constexpr std::uint32_t dropout_threshold(float rate) {
    return static_cast<std::uint32_t>(static_cast<double>(rate) * 4294967296.0);
}

}  // namespace glassformer::kernel
