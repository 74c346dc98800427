#pragma once

// Matrix products. Each cell of a product is one chain of multiply-adds in the order of the depth, so the same cell
// has the same bytes however a product is cut into pieces.

#include <cstdint>

#include "core/tensor/typed_matrix.h"

namespace glassformer::kernel {

/// A matrix that is read where it lies; one of the strides is 1.
struct Operand {
    const float* data;
    std::int64_t rows, columns, row_stride, column_stride;

    Operand transposed() const { return {data, columns, rows, column_stride, row_stride}; }
    Operand middle_rows(std::int64_t begin, std::int64_t count) const {
        return {data + begin * row_stride, count, columns, row_stride, column_stride};
    }
    Operand middle_columns(std::int64_t begin, std::int64_t count) const {
        return transposed().middle_rows(begin, count).transposed();
    }
};

/// Rows of `columns` floats, side by side.
inline Operand matrix(const float* data, std::int64_t rows, std::int64_t columns) {
    return {data, rows, columns, columns, 1};
}

/// Where a product goes: rows of floats that lie `row_stride` apart, and what they start from.
struct Target {
    float* data;
    std::int64_t row_stride;
    bool accumulate = false;      // add to what is there
    const float* bias = nullptr;  // one row, which every row starts from; not with accumulate
};

/// Names one right operand for as long as it does not change. A thread that multiplies by the same right operand again
/// finds it packed already.
using PackingTicket = std::uint64_t;
/// The first of `count` new tickets in a row.
PackingTicket new_packing(std::int64_t count = 1);

/// The right operand is packed in blocks of so many columns.
inline constexpr std::int64_t packed_columns = 256;

/// target (+)= a·b, on the calling thread; only the first product of a thread allocates. Products that share b may
/// share a packing; so may those whose b are the first columns of one matrix, all of them or a multiple of
/// packed_columns.
void multiply(const Target& target, const Operand& a, const Operand& b, PackingTicket packing = 0);
/// The same bytes with b as a file holds it: a block at a time is widened.
void multiply(const Target& target, const Operand& a, const TypedMatrix& b, PackingTicket packing = 0);

/// The instruction set of the products: "AVX-512", "AVX2", "SSE2", "NEON", "SIMD128" or "scalar".
const char* product_instruction_set();

}  // namespace glassformer::kernel
