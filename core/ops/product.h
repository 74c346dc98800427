#pragma once

// Matrix products. Each cell of a product is one chain of multiply-adds in the order of the depth, so a cell has the
// same bytes however the product is split into pieces.

#include <cstdint>

#include "core/tensor/typed_matrix.h"

namespace glassformer::kernel {

/// A matrix read in place; one of the strides is 1.
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

/// A row-major matrix without gaps between its rows.
inline Operand matrix(const float* data, std::int64_t rows, std::int64_t columns) {
    return {data, rows, columns, columns, 1};
}

/// The destination of a product: rows of floats, `row_stride` apart, and their initial values.
struct Target {
    float* data;
    std::int64_t row_stride;
    bool accumulate = false;      // add to the existing values
    const float* bias = nullptr;  // one row that every row starts from; not with accumulate
};

/// Identifies a right operand for as long as it does not change. A thread that multiplies by the same right operand
/// again finds it already packed.
using PackingTicket = std::uint64_t;
/// The first of `count` consecutive new tickets.
PackingTicket new_packing(std::int64_t count = 1);

/// The right operand is packed in blocks of this many columns.
inline constexpr std::int64_t packed_columns = 256;

/// target (+)= a·b, on the calling thread; only the first product of a thread allocates. Products with the same b may
/// share a packing; so may those whose b are the first columns of one matrix: all columns, or a multiple of
/// packed_columns.
void multiply(const Target& target, const Operand& a, const Operand& b, PackingTicket packing = 0);
/// The same bytes with b in the type of its file: it is widened block by block.
void multiply(const Target& target, const Operand& a, const TypedMatrix& b, PackingTicket packing = 0);

/// The instruction set of the products: "AVX-512", "AVX2", "SSE2", "NEON", "SIMD128" or "scalar".
const char* product_instruction_set();

}  // namespace glassformer::kernel
