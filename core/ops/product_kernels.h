#pragma once

#include <cstdint>

namespace glassformer::kernel {

namespace {

/// Copies 1 … 16 floats, from four on with two fixed-size copies that may overlap. (Internal linkage: this header is
/// compiled for several instruction sets.)
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
    const float* a;  // a[row, k] is at row · a_row_stride + k · a_step
    std::int64_t a_row_stride, a_step;
    const float* b;  // b[k] is at k · b_step: whole registers in sequence
    std::int64_t b_step;
    float* c;
    std::int64_t c_stride, columns;
    const float* start;  // initial values; null: zeros
    std::int64_t start_stride;
    std::int64_t depth;
};

/// One row times a matrix stored column by column, as linear maps are published: c = start + a·b.
struct RowArgs {
    const float* a;
    const void* b;            // b[k, column] is cell k of line `column`
    std::int64_t line_bytes;  // from one line to the next
    float* c;
    const float* start;  // initial values; null: zeros
    std::int64_t depth, columns;
};

/// Registers of columns in the tile of a single row. A row-major right operand is then read in stretches long enough
/// for the memory to prefetch; a model that generates word by word needs this.
inline constexpr int wide_registers = 8;

/// The tiles of one instruction set.
struct TileKernels {
    const char* name;
    int lanes;      // floats per register
    int tile_rows;  // rows of the largest tile
    /// Computes a tile of 1 … tile_rows rows and one or two registers of columns, or of one row and wide_registers.
    void (*tile)(int rows, int registers, const TileArgs& t);
    /// A single row, for each cell type in the order of DType.
    void (*row[4])(const RowArgs& t);
    /// The same for a matrix stored row by row, line_bytes apart. Null for float32, which a tile reads in place, and
    /// for q8_0, which no file stores that way. `start` may be c.
    void (*across[4])(const RowArgs& t);
};

extern const TileKernels default_tiles;
#if defined(GLASSFORMER_AVX512)
extern const TileKernels avx512_tiles;
#endif

}  // namespace glassformer::kernel
