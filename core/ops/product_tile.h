#pragma once

// The inner loops of a matrix product, written once in the vector extension of GCC and Clang and compiled once per
// instruction set (product_tile.cpp, product_tile_avx512.cpp). Everything here has internal linkage and uses nothing
// from the standard library, so that the linker cannot mix code of two instruction sets.
//
// Every cell of the product is one chain of multiply-adds in the order of the depth, whichever tile it falls into.
// Results therefore do not depend on how the product is split, nor (given fused multiply-add) on the width of the
// registers.

#include <cstdint>
#include <utility>  // only for std::integer_sequence, which generates no code

#include "core/ops/product_kernels.h"

namespace glassformer::kernel {
namespace {

#if defined(__AVX512F__)
constexpr int lanes = 16, tile_rows = 14;
#elif defined(__AVX__)
constexpr int lanes = 8, tile_rows = 6;
#elif defined(__wasm__)  // with six rows, V8 runs out of x86's sixteen registers and takes twice the time
constexpr int lanes = 4, tile_rows = 5;
#else
constexpr int lanes = 4, tile_rows = 6;
#endif
constexpr int most_lanes = 16;   // what copy_few may touch, for a compiler that does not know the count
constexpr int second_level = 2;  // cache level to prefetch streamed data into: the first level is too small for it

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
    // Five rows per pointer: their offsets can be encoded in an address.
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
        if constexpr (R == 1 && V == wide_registers)
#pragma GCC unroll 8
            for (int v = 0; v < V; v += 16 / lanes) __builtin_prefetch(b + v * lanes + 16 * b_step, 0, second_level);
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

template <int V, int... index>
void tile_of(int rows, const TileArgs& t, std::integer_sequence<int, index...>) {
    static_assert(tile_rows <= 14);
    constexpr void (*tiles[])(const TileArgs&) = {tile<index + 1, V>...};
    tiles[rows - 1](t);
}

void any_tile(int rows, int registers, const TileArgs& t) {
    if (registers == wide_registers)
        tile<1, wide_registers>(t);
    else if (registers == 2)
        tile_of<2>(rows, t, std::make_integer_sequence<int, tile_rows>());
    else
        tile_of<1>(rows, t, std::make_integer_sequence<int, tile_rows>());
}

// One row times a matrix stored column by column. Reading the matrix takes longer than the arithmetic, so it is read
// once, in the type of its file: one register from each of as many lines as a register has lanes, transposed so that a
// register holds one k of all lines. Two 16-bit cells are transposed as one word.

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

/// sum + a·b for the first `count` k of transposed words.
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

/// As many lines as there are lanes; if there are fewer, the last line is repeated.
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
            __builtin_prefetch(lines[i] + k * cell + ahead, 0, second_level);  // same part of the next lines
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
    whole ? put(t.c + column, sum) : put_some(t.c + column, sum, count);
}

template <int type>
void row(const RowArgs& t) {
    for (std::int64_t column = 0; column < t.columns; column += lanes)
        lines_of_row<type>(t, column, t.columns - column < lanes ? t.columns - column : lanes);
}

// The same with lines of blocks (DType::q8_0): 32 bytes of each are transposed as eight words of four cells.
constexpr std::int64_t block_cells = 32, block_bytes = 34;
using Ints = std::int32_t __attribute__((vector_size(sizeof(float) * lanes)));

/// sum + a·b for as many cells of a block as `words` holds, four per word.
inline Lane add_block(Lane sum, const float* a, const Word (&words)[lanes], int count, const Lane& scale) {
#pragma GCC unroll 8
    for (int i = 0; i < count; ++i)
#pragma GCC unroll 4
        for (int part = 0; part < 4; ++part) {
            const Ints cells = __builtin_bit_cast(Ints, words[i] << (24 - 8 * part)) >> 24;
            const Lane wide = __builtin_convertvector(cells, Lane) * scale;
            sum += a[4 * i + part] * wide;
        }
    return sum;
}

void lines_of_blocks(const RowArgs& t, std::int64_t column, std::int64_t count) {
    constexpr int words_at_once = lanes < 8 ? lanes : 8;
    const char* lines[lanes];
    for (int i = 0; i < lanes; ++i)
        lines[i] = static_cast<const char*>(t.b) + (column + (i < count ? i : count - 1)) * t.line_bytes;
    const bool whole = count == lanes;
    const std::int64_t ahead = lanes * t.line_bytes;
    Lane sum = !t.start ? Lane{} : whole ? load(t.start + column) : load_some(t.start + column, count);
    Word words[lanes];
    for (std::int64_t k = 0, at = 0; k < t.depth; k += block_cells, at += block_bytes) {
        Word scales{};
#pragma GCC unroll 16
        for (int i = 0; i < lanes; ++i) {
            std::uint16_t bits = 0;
            __builtin_memcpy(&bits, lines[i] + at, sizeof bits);
            scales[i] = bits;
            __builtin_prefetch(lines[i] + at + ahead, 0, second_level);  // same part of the next lines
        }
        const Lane scale = halves(scales);
        for (std::int64_t done = 0; done < block_cells; done += 4 * words_at_once) {
#pragma GCC unroll 16
            for (int i = 0; i < lanes; ++i) {
                words[i] = Word{};
                __builtin_memcpy(&words[i], lines[i] + at + 2 + done, 4 * words_at_once);
            }
            turn<lanes / 2>(words);
            sum = add_block(sum, t.a + k + done, words, words_at_once, scale);
        }
    }
    whole ? put(t.c + column, sum) : put_some(t.c + column, sum, count);
}

void row_of_blocks(const RowArgs& t) {
    for (std::int64_t column = 0; column < t.columns; column += lanes)
        lines_of_blocks(t, column, t.columns - column < lanes ? t.columns - column : lanes);
}

// One row times a 16-bit matrix stored row by row (GPT-2's). A few rows at a time are added to all of c, which stays in
// the first-level cache, so that the file is read in long stretches. Until all rows are added, c holds for every two
// registers the even columns and then the odd ones, which are the two halves of a word.

constexpr std::int64_t pair_columns = 2 * lanes;

template <int... lane>
inline void part_pairs(Lane& a, Lane& b, std::integer_sequence<int, lane...>) {
    const Lane even = __builtin_shufflevector(a, b, (2 * lane)...),
               odd = __builtin_shufflevector(a, b, (2 * lane + 1)...);
    a = even;
    b = odd;
}
template <int... lane>
inline void join_pairs(Lane& a, Lane& b, std::integer_sequence<int, lane...>) {
    const Lane first = __builtin_shufflevector(a, b, (lane / 2 + (lane % 2 ? lanes : 0))...),
               second = __builtin_shufflevector(a, b, (lanes / 2 + lane / 2 + (lane % 2 ? lanes : 0))...);
    a = first;
    b = second;
}

/// Two registers of c from `column` on; only `count` columns may exist.
struct Pair {
    Lane even, odd;
};
inline Pair load_pair(const float* p, std::int64_t count) {
    if (count >= pair_columns) return {load(p), load(p + lanes)};
    alignas(64) float values[pair_columns] = {};
    for (std::int64_t i = 0; i < count; ++i) values[i] = p[i];
    return {load(values), load(values + lanes)};
}
inline void put_pair(float* p, const Pair& pair, std::int64_t count) {
    if (count >= pair_columns) {
        put(p, pair.even);
        put(p + lanes, pair.odd);
        return;
    }
    alignas(64) float values[pair_columns];
    put(values, pair.even);
    put(values + lanes, pair.odd);
    for (std::int64_t i = 0; i < count; ++i) p[i] = values[i];
}

template <int type, int rows>
inline Pair with_rows(Pair sum, const float* a, const char* b, std::int64_t line_bytes, std::size_t bytes) {
#pragma GCC unroll 4
    for (int r = 0; r < rows; ++r) {
        Word words = {};
        __builtin_memcpy(&words, b + r * line_bytes, bytes);
        sum.even += a[r] * first_cells<type>(words);
        sum.odd += a[r] * second_cells<type>(words);
    }
    return sum;
}

/// Adds `rows` rows to the whole pairs of c, which hold even and odd columns separately.
template <int type, int rows>
void add_rows(const RowArgs& t, std::int64_t k) {
    const char* b = static_cast<const char*>(t.b) + k * t.line_bytes;
    for (std::int64_t column = 0; column + pair_columns <= t.columns; column += pair_columns) {
        const Pair sum = with_rows<type, rows>({load(t.c + column), load(t.c + column + lanes)}, t.a + k,
                                               b + 2 * column, t.line_bytes, sizeof(Word));
        put(t.c + column, sum.even);
        put(t.c + column + lanes, sum.odd);
    }
}

template <int type>
void across(const RowArgs& t) {
    constexpr auto sequence = std::make_integer_sequence<int, lanes>();
    constexpr int at_once = 4;
    const std::int64_t whole = t.columns / pair_columns * pair_columns, rest = t.columns - whole;
    const auto start_of = [&](std::int64_t column, std::int64_t count) {
        Pair start = t.start ? load_pair(t.start + column, count) : Pair{};
        part_pairs(start.even, start.odd, sequence);
        return start;
    };
    for (std::int64_t column = 0; column < whole; column += pair_columns)
        put_pair(t.c + column, start_of(column, pair_columns), pair_columns);
    Pair last = rest > 0 ? start_of(whole, rest) : Pair{};
    const std::size_t bytes = 2 * rest;
    const char* const b = static_cast<const char*>(t.b) + 2 * whole;
    std::int64_t k = 0;
    for (; k + at_once <= t.depth; k += at_once) {
        add_rows<type, at_once>(t, k);
        if (rest > 0) last = with_rows<type, at_once>(last, t.a + k, b + k * t.line_bytes, t.line_bytes, bytes);
    }
    for (; k < t.depth; ++k) {
        add_rows<type, 1>(t, k);
        if (rest > 0) last = with_rows<type, 1>(last, t.a + k, b + k * t.line_bytes, t.line_bytes, bytes);
    }
    for (std::int64_t column = 0; column < whole; column += pair_columns) {
        Pair sum = load_pair(t.c + column, pair_columns);
        join_pairs(sum.even, sum.odd, sequence);
        put_pair(t.c + column, sum, pair_columns);
    }
    if (rest == 0) return;
    join_pairs(last.even, last.odd, sequence);
    put_pair(t.c + whole, last, rest);
}

}  // namespace
}  // namespace glassformer::kernel
