#pragma once

// The inner loops of a matrix product, written once in GCC's and Clang's vector extension and compiled once per
// instruction set (product_tile.cpp, product_tile_avx512.cpp). Everything here has internal linkage and uses nothing
// from the standard library, so that the linker cannot mix code of two instruction sets.
//
// Every cell of the product is one chain of multiply-adds in the order of the depth, whatever the tile it falls into:
// results do not depend on how the product is cut, nor (given fused multiply-add) on the width of the registers.

#include <cstdint>
#include <utility>  // for sequences of numbers alone, which are no code

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
    const auto row = [&](int r) {
        return r < 5 ? a0[r * stride] : r < 10 ? a1[(r - 5) * stride] : a2[(r - 10) * stride];
    };
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

// One row times a matrix whose columns lie one after the other. Reading it takes longer than computing with it, so it
// is read once, in the type of its file: as many lines as a register has lanes, a register of each, turned so that a
// register holds one k of all lines. Two cells of 16 bits are turned as one word.

using Word = std::uint32_t __attribute__((vector_size(sizeof(float) * lanes)));
enum { float32, float16, bfloat16 };

template <int half, int... lane>
inline void exchange(Word& a, Word& b, std::integer_sequence<int, lane...>) {
    const Word low = __builtin_shufflevector(a, b, (lane & half ? lanes + lane - half : lane)...),
               high = __builtin_shufflevector(a, b, (lane & half ? lanes + lane : lane + half)...);
    a = low;
    b = high;
}

template <int half>
inline void turn(Word (&words)[lanes]) {
#pragma GCC unroll 16
    for (int i = 0; i < lanes; ++i)
        if (!(i & half)) exchange<half>(words[i], words[i + half], std::make_integer_sequence<int, lanes>());
    if constexpr (half > 1) turn<half / 2>(words);
}

inline Lane as_floats(const Word& bits) { return __builtin_bit_cast(Lane, bits); }

/// float_from_half() of finite numbers, one in the lower half of each word.
inline Lane halves(const Word& bits) {
    const Word magnitude = bits & 0x7fffu, sign = (bits & 0x8000u) << 16;
    const Lane small = as_floats(magnitude | 0x3f000000u) - 0.5f;
    const Word normal = (magnitude << 13) + (112u << 23),
               chosen = magnitude < 0x400u ? __builtin_bit_cast(Word, small) : normal;
    return as_floats(chosen | sign);
}

/// The first and the second cell of each word.
template <int type>
inline Lane first_cells(const Word& words) {
    return type == float32 ? as_floats(words) : type == bfloat16 ? as_floats(words << 16) : halves(words & 0xffffu);
}
template <int type>
inline Lane second_cells(const Word& words) {
    return type == bfloat16 ? as_floats(words & 0xffff0000u) : halves(words >> 16);
}

/// sum + a·b for the first `count` k of words that were turned.
template <int type>
inline Lane add_products(Lane sum, const float* a, const Word (&words)[lanes], std::int64_t count) {
#pragma GCC unroll 16
    for (int i = 0; i < lanes; ++i) {
        if constexpr (type == float32) {
            if (i < count) sum += a[i] * first_cells<type>(words[i]);
        } else {
            if (2 * i < count) sum += a[2 * i] * first_cells<type>(words[i]);
            if (2 * i + 1 < count) sum += a[2 * i + 1] * second_cells<type>(words[i]);
        }
    }
    return sum;
}

/// As many lines as there are lanes, the last ones again where there are fewer.
template <int type>
void lines_of_row(const RowArgs& t, std::int64_t column, std::int64_t count) {
    constexpr std::int64_t cell = type == float32 ? 4 : 2, step = sizeof(Word) / cell;
    const char* lines[lanes];
    for (int i = 0; i < lanes; ++i)
        lines[i] = static_cast<const char*>(t.b) + (column + (i < count ? i : count - 1)) * t.line_bytes;
    const bool whole = count == lanes;
    const std::int64_t ahead = lanes * t.line_bytes;
    Lane sum = !t.start ? Lane{} : whole ? load(t.start + column) : load_some(t.start + column, count);
    Word words[lanes];
    std::int64_t k = 0;
    for (; k + step <= t.depth; k += step) {
#pragma GCC unroll 16
        for (int i = 0; i < lanes; ++i) {
            __builtin_memcpy(&words[i], lines[i] + k * cell, sizeof words[i]);
            __builtin_prefetch(lines[i] + k * cell + ahead);  // the same of the next lines
        }
        turn<lanes / 2>(words);
        sum = add_products<type>(sum, t.a + k, words, step);
    }
    if (k < t.depth) {
        for (int i = 0; i < lanes; ++i) {
            words[i] = Word{};
            __builtin_memcpy(&words[i], lines[i] + k * cell, static_cast<std::size_t>((t.depth - k) * cell));
        }
        turn<lanes / 2>(words);
        sum = add_products<type>(sum, t.a + k, words, t.depth - k);
    }
    if (whole)
        put(t.c + column, sum);
    else
        put_some(t.c + column, sum, count);
}

template <int type>
void row(const RowArgs& t) {
    for (std::int64_t column = 0; column < t.columns; column += lanes)
        lines_of_row<type>(t, column, t.columns - column < lanes ? t.columns - column : lanes);
}

}  // namespace
}  // namespace glassformer::kernel
