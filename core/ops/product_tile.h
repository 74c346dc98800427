#pragma once

// The inner loops of a matrix product, written once in GCC's and Clang's vector extension and compiled once per
// instruction set (product_tile.cpp, product_tile_avx512.cpp). Everything here has internal linkage and uses nothing
// from the standard library, so that the linker cannot mix code of two instruction sets.
//
// Every cell of the product is one chain of multiply-adds in the order of the depth, whatever the tile it falls into:
// results do not depend on how the product is cut, nor (given fused multiply-add) on the width of the registers.

#include <cstdint>

#include "core/ops/product_kernels.h"

namespace glassformer::kernel {
namespace {

#if defined(__AVX512F__)
constexpr int lanes = 16, tile_rows = 14;
#elif defined(__AVX__)
constexpr int lanes = 8, tile_rows = 6;
#else
constexpr int lanes = 4, tile_rows = 6;
#endif
// What copy_few may touch in the eyes of a compiler that does not know the count.
constexpr int most_lanes = 16;

using Lane = float __attribute__((vector_size(sizeof(float) * lanes)));
inline Lane load(const float* p) {
    Lane value;
    __builtin_memcpy(&value, p, sizeof value);
    return value;
}
inline void put(float* p, const Lane& value) { __builtin_memcpy(p, &value, sizeof value); }

/// The first `count` lanes of p, zeros after them.
inline Lane load_some(const float* p, std::int64_t count) {
    alignas(64) float values[most_lanes] = {};
    copy_few(p, values, count);
    return load(values);
}
inline void put_some(float* p, const Lane& value, std::int64_t count) {
    alignas(64) float values[most_lanes];
    put(values, value);
    copy_few(values, p, count);
}

/// R rows and V registers of columns of c = start + a·b.
template <int R, int V>
void tile(const TileArgs& t) {
    Lane sum[R][V];
    const bool whole = t.columns == V * lanes;
    const std::int64_t rest = t.columns - (V - 1) * lanes;
#pragma GCC unroll 16
    for (int r = 0; r < R; ++r)
#pragma GCC unroll 8
        for (int v = 0; v < V; ++v) {
            const float* start = t.start + r * t.start_stride + v * lanes;
            sum[r][v] = !t.start ? Lane{} : whole || v + 1 < V ? load(start) : load_some(start, rest);
        }
    // Five rows to a pointer: their offsets are ones that an address can hold.
    const std::int64_t stride = t.a_row_stride, step = t.a_step, b_step = t.b_step;
    const float *a0 = t.a, *a1 = a0 + 5 * stride, *a2 = a1 + 5 * stride;
    const float* b = t.b;
    const auto row = [&](int r) { return (r < 5 ? a0 : r < 10 ? a1 : a2)[r % 5 * stride]; };
    for (std::int64_t k = t.depth; k > 0; --k) {
        Lane right[V];
#pragma GCC unroll 8
        for (int v = 0; v < V; ++v) right[v] = load(b + v * lanes);
#pragma GCC unroll 16
        for (int r = 0; r < R; ++r) {
            const float left = row(r);
#pragma GCC unroll 8
            for (int v = 0; v < V; ++v) sum[r][v] += left * right[v];
        }
        b += b_step;
        a0 += step;
        a1 += step;
        a2 += step;
    }
#pragma GCC unroll 16
    for (int r = 0; r < R; ++r)
#pragma GCC unroll 8
        for (int v = 0; v < V; ++v) {
            float* c = t.c + r * t.c_stride + v * lanes;
            if (whole || v + 1 < V)
                put(c, sum[r][v]);
            else
                put_some(c, sum[r][v], rest);
        }
}

template <int V>
void tile_of(int rows, const TileArgs& t) {
    static_assert(tile_rows <= 14);
    switch (rows) {
        case 1:
            return tile<1, V>(t);
        case 2:
            return tile<2, V>(t);
        case 3:
            return tile<3, V>(t);
        case 4:
            return tile<4, V>(t);
        case 5:
            return tile<5, V>(t);
        case 6:
            return tile<6, V>(t);
#if defined(__AVX512F__)
        case 7:
            return tile<7, V>(t);
        case 8:
            return tile<8, V>(t);
        case 9:
            return tile<9, V>(t);
        case 10:
            return tile<10, V>(t);
        case 11:
            return tile<11, V>(t);
        case 12:
            return tile<12, V>(t);
        case 13:
            return tile<13, V>(t);
        case 14:
            return tile<14, V>(t);
#endif
    }
}

void any_tile(int rows, int registers, const TileArgs& t) {
    if (registers == wide_registers)
        tile<1, wide_registers>(t);
    else if (registers == 2)
        tile_of<2>(rows, t);
    else
        tile_of<1>(rows, t);
}

}  // namespace
}  // namespace glassformer::kernel
