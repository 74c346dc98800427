#pragma once

// Helpers for the CPU kernels: Eigen maps over row-major memory, and splitting loops into chunks. Chunk sizes depend on
// the problem alone, never on the number of threads, so results are byte for byte the same on 1 or 16 threads.

#include <Eigen/Core>
#include <algorithm>
#include <cstdint>

#include "core/base/ceil_div.h"
#include "core/base/thread_pool.h"

namespace glassformer::kernel {

using ConstArrayMap = Eigen::Map<const Eigen::ArrayXf>;
using ArrayMap = Eigen::Map<Eigen::ArrayXf>;

/// Calls body(begin, end) over 0 … n − 1 in equal pieces of about `grain` at most.
template <class Body>
void for_ranges(ThreadPool& pool, std::int64_t n, std::int64_t grain, const Body& body) {
    if (n <= 0) return;
    const std::int64_t even = ceil_div(n, ceil_div(n, std::max<std::int64_t>(grain, 1))),
                       step = even >= 64 ? ceil_div(even, 16) * 16 : even;  // whole cache lines
    pool.run(ceil_div(n, step), [&](std::int64_t c) { body(c * step, std::min(n, (c + 1) * step)); });
}

/// Calls body(i) for each of 0 … n − 1, in such pieces.
template <class Body>
void for_each_in(ThreadPool& pool, std::int64_t n, std::int64_t grain, const Body& body) {
    for_ranges(pool, n, grain, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i) body(i);
    });
}

/// Cells per piece for element-wise loops: a few microseconds of work.
constexpr std::int64_t element_grain = 16384;

/// Rows per piece if each row costs `row_cost` multiply-adds.
inline std::int64_t row_grain(std::int64_t row_cost) {
    return std::max<std::int64_t>(1, 65536 / std::max<std::int64_t>(row_cost, 1));
}

/// The pieces of 0 … n − 1, for parallel regions with several loops.
struct Pieces {
    std::int64_t total, step, count;
    Pieces(std::int64_t n, std::int64_t grain) : total(n), step(grain), count(ceil_div(n, grain)) {}

    struct Piece {
        std::int64_t begin, count;
    };
    Piece operator[](std::int64_t i) const { return {i * step, std::min(step, total - i * step)}; }
};

/// Columns per piece of a sum over rows: whole cache lines.
constexpr std::int64_t sum_columns = 64;

/// sum[c] (+)= Σ_r data[r · stride + c] for at most sum_columns columns.
inline void sum_rows(const float* data, std::int64_t rows, std::int64_t stride, std::int64_t columns, float* sum,
                     bool accumulate) {
    alignas(64) float partial[sum_columns] = {};
    if (columns == sum_columns)
        for (std::int64_t r = 0; r < rows; ++r)
            for (std::int64_t c = 0; c < sum_columns; ++c) partial[c] += data[r * stride + c];
    else
        for (std::int64_t r = 0; r < rows; ++r)
            for (std::int64_t c = 0; c < columns; ++c) partial[c] += data[r * stride + c];
    for (std::int64_t c = 0; c < columns; ++c) sum[c] = accumulate ? sum[c] + partial[c] : partial[c];
}

template <class Map, class Expression>
void store(Map&& target, const Expression& value, bool accumulate) {
    if (accumulate)
        target += value;
    else
        target = value;
}

}  // namespace glassformer::kernel
