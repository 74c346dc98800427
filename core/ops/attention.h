#pragma once

// Products of one head's small matrices, read in place from [pos, head, d_head] memory.

#include "core/ops/kernel.h"

namespace glassformer::kernel {

/// One head's rows inside [P, H, D] memory: a [P, D] matrix whose rows lie H·D apart.
inline ConstStridedMap head_rows(const float* data, std::int64_t positions, std::int64_t heads, std::int64_t width,
                                 std::int64_t head) {
    return ConstStridedMap(data + head * width, positions, width, Stride(heads * width));
}
inline StridedMap head_rows(float* data, std::int64_t positions, std::int64_t heads, std::int64_t width,
                            std::int64_t head) {
    return StridedMap(data + head * width, positions, width, Stride(heads * width));
}

/// Up to this many rows, depth and columns the loop below beats Eigen's blocked product, which packs both operands.
constexpr std::int64_t small_product = 32;

/// Eight floats in one register (or in several, where registers are smaller); GCC's and Clang's vector extension.
using Lane = float __attribute__((vector_size(32)));
/// Columns that are summed at once: two lanes.
constexpr std::int64_t strip = 16;

/// R rows, from `first` on, of out (+)= a·b for one strip of b's columns, of which `columns` are stored.
template <int R, class Out, class A>
void small_block(Out& out, const A& a, const Lane* b, std::int64_t first, std::int64_t column, std::int64_t columns,
                 bool accumulate) {
    Lane left[R] = {}, right[R] = {};
    const std::int64_t depth = a.cols();
    for (std::int64_t d = 0; d < depth; ++d) {
        const Lane b_left = b[2 * d], b_right = b[2 * d + 1];
#pragma GCC unroll 8
        for (int r = 0; r < R; ++r) {
            const float factor = a.coeff(first + r, d);
            left[r] += factor * b_left;
            right[r] += factor * b_right;
        }
    }
    for (int r = 0; r < R; ++r) {
        alignas(64) float sum[strip];
        *reinterpret_cast<Lane*>(sum) = left[r];
        *reinterpret_cast<Lane*>(sum + 8) = right[r];
        float* row = &out.coeffRef(first + r, column);
        if (accumulate)
            for (std::int64_t c = 0; c < columns; ++c) row[c] += sum[c];
        else
            std::copy_n(sum, columns, row);
    }
}

/// out (+)= a·b for small matrices; out's rows are contiguous. b is laid out in whole strips first.
template <class Out, class A, class B>
void small_matrix_product(Out& out, const A& a, const B& b, bool accumulate) {
    alignas(64) float packed[small_product * strip];
    for (std::int64_t column = 0; column < b.cols(); column += strip) {
        const std::int64_t columns = std::min(strip, b.cols() - column);
        if (columns < strip) std::fill_n(packed, b.rows() * strip, 0.0f);
        for (std::int64_t d = 0; d < b.rows(); ++d)
            for (std::int64_t c = 0; c < columns; ++c) packed[d * strip + c] = b.coeff(d, column + c);
        const Lane* lanes = reinterpret_cast<const Lane*>(packed);
        std::int64_t row = 0;
        for (; row + 4 <= a.rows(); row += 4) small_block<4>(out, a, lanes, row, column, columns, accumulate);
        for (; row < a.rows(); ++row) small_block<1>(out, a, lanes, row, column, columns, accumulate);
    }
}

/// out (+)= a·b
template <class Out, class A, class B>
void product(Out&& out, const A& a, const B& b, bool accumulate) {
    if (a.rows() <= small_product && a.cols() <= small_product && b.cols() <= small_product)
        small_matrix_product(out, a, b, accumulate);
    else
        store_product(out, a * b, accumulate);
}

/// out (+)= a·bᵀ
template <class Out, class A, class B>
void product_with_transposed(Out&& out, const A& a, const B& b, bool accumulate) {
    product(out, a, b.transpose(), accumulate);
}

/// Heads per piece of work, each costing `cost` multiply-adds.
inline std::int64_t head_grain(std::int64_t cost) {
    return std::max<std::int64_t>(1, 32768 / std::max<std::int64_t>(cost, 1));
}

}  // namespace glassformer::kernel
