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

/// Below this many rows, depth and columns a plain loop beats Eigen's blocked product, which packs both operands.
constexpr std::int64_t small_product = 32;

/// out (+)= a·b. Small products are evaluated packet by packet along b's rows.
template <class Out, class A, class B>
void product(Out&& out, const A& a, const B& b, bool accumulate) {
    if (a.rows() <= small_product && a.cols() <= small_product && b.cols() <= small_product)
        store(out, a.lazyProduct(b), accumulate);
    else
        store_product(out, a * b, accumulate);
}

/// out (+)= a·bᵀ. A small bᵀ is laid out first, so that its rows can be read in packets.
template <class Out, class A, class B>
void product_with_transposed(Out&& out, const A& a, const B& b, bool accumulate) {
    if (a.rows() <= small_product && a.cols() <= small_product && b.rows() <= small_product) {
        const Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor, small_product, small_product>
            transposed = b.transpose();
        store(out, a.lazyProduct(transposed), accumulate);
    } else {
        store_product(out, a * b.transpose(), accumulate);
    }
}

/// Heads per piece of work, each costing `cost` multiply-adds.
inline std::int64_t head_grain(std::int64_t cost) {
    return std::max<std::int64_t>(1, 32768 / std::max<std::int64_t>(cost, 1));
}

}  // namespace glassformer::kernel
