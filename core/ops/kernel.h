#pragma once

// Helpers for the CPU kernels: Eigen maps over row-major memory, and the cutting of loops into chunks. Chunk sizes
// depend on the problem alone, never on the number of threads, so results are the same bytes on 1 or 16 threads.

#include <Eigen/Core>
#include <algorithm>
#include <cstdint>

#include "core/base/thread_pool.h"

namespace glassformer::kernel {

using Matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Stride = Eigen::OuterStride<>;
using ConstMatrixMap = Eigen::Map<const Matrix>;
using MatrixMap = Eigen::Map<Matrix>;
using ConstStridedMap = Eigen::Map<const Matrix, 0, Stride>;
using StridedMap = Eigen::Map<Matrix, 0, Stride>;
using ConstArrayMap = Eigen::Map<const Eigen::ArrayXf>;
using ArrayMap = Eigen::Map<Eigen::ArrayXf>;

inline std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

/// Calls body(begin, end) over 0 … n − 1 in pieces of `grain`.
template <class Body>
void for_ranges(ThreadPool& pool, std::int64_t n, std::int64_t grain, const Body& body) {
    grain = std::max<std::int64_t>(grain, 1);
    pool.run(ceil_div(n, grain), [&](std::int64_t c) { body(c * grain, std::min(n, (c + 1) * grain)); });
}

/// Cells per piece for element-wise loops: a few microseconds of work.
constexpr std::int64_t element_grain = 16384;

/// Rows per piece when each row costs `row_cost` multiply-adds.
inline std::int64_t row_grain(std::int64_t row_cost) {
    return std::max<std::int64_t>(1, 65536 / std::max<std::int64_t>(row_cost, 1));
}

/// Rows per piece of a matrix product: enough work to hide the hand-over between threads and to pay for Eigen's packing
/// of the other operand, few enough that two or more threads share the work evenly.
inline std::int64_t product_rows(std::int64_t rows) {
    return std::max<std::int64_t>(104, ceil_div(ceil_div(rows, 16), 8) * 8);
}

template <class Map, class Expression>
void store(Map&& target, const Expression& value, bool accumulate) {
    if (accumulate)
        target += value;
    else
        target = value;
}

template <class Map, class Expression>
void store_product(Map&& target, const Expression& product, bool accumulate) {
    if (accumulate)
        target.noalias() += product;
    else
        target.noalias() = product;
}

}  // namespace glassformer::kernel
