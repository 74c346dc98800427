#pragma once

#include <cstdint>

namespace glassformer::kernel {

namespace {

/// Copies 1 … 16 floats with two copies of a fixed size, which may overlap. (Internal linkage: this header is compiled
/// for several instruction sets.)
inline void copy_few(const float* from, float* to, std::int64_t count) {
    if (count >= 8) {
        __builtin_memcpy(to, from, sizeof(float) * 8);
        __builtin_memcpy(to + count - 8, from + count - 8, sizeof(float) * 8);
    } else if (count >= 4) {
        __builtin_memcpy(to, from, sizeof(float) * 4);
        __builtin_memcpy(to + count - 4, from + count - 4, sizeof(float) * 4);
    } else {
        for (std::int64_t i = 0; i < count; ++i) to[i] = from[i];
    }
}

}  // namespace

/// One register tile of a product: c = start + a·b.
struct TileArgs {
    const float* a;  // a[row, k] lies at row · a_row_stride + k · a_step
    std::int64_t a_row_stride, a_step;
    const float* b;  // b[k] lies at k · b_step: whole registers side by side
    std::int64_t b_step;
    float* c;
    std::int64_t c_stride, columns;
    const float* start;  // what is added to; null: nothing
    std::int64_t start_stride;
    std::int64_t depth;
};

/// One row times a matrix whose columns lie one after the other, as linear maps are published: c = start + a·b.
struct RowArgs {
    const float* a;
    const void* b;            // b[k, column] is cell k of line `column`
    std::int64_t line_bytes;  // from one line to the next
    float* c;
    const float* start;  // what is added to; null: nothing
    std::int64_t depth, columns;
};

/// Registers of columns in the tile of a single row: a row-major right operand is then read in stretches that are long
/// enough for the memory to run ahead, as a model that writes word by word needs it.
inline constexpr int wide_registers = 8;

/// The tiles of one instruction set.
struct TileKernels {
    const char* name;
    int lanes;      // floats in a register
    int tile_rows;  // rows of the largest tile
    /// Computes a tile of 1 … tile_rows rows and one or two registers of columns, or of one row and wide_registers.
    void (*tile)(int rows, int registers, const TileArgs& t);
    /// A row with cells of each type, in the order of DType.
    void (*row[4])(const RowArgs& t);
    /// The same where the matrix lies row by row, line_bytes apart; null for float32, which a tile reads as it lies,
    /// and for q8_0, which no file holds in that way. `start` may be c.
    void (*across[4])(const RowArgs& t);
};

extern const TileKernels default_tiles;
#if defined(GLASSFORMER_AVX512)
extern const TileKernels avx512_tiles;
#endif

}  // namespace glassformer::kernel
