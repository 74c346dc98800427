#pragma once

// What the norms that work row by row share: [.., D] memory as rows of D features, with one statistic [..] for each.

#include "core/ops/kernel.h"
#include "core/tensor/shape.h"

namespace glassformer::kernel {

/// [..] of [.., D].
inline Shape leading(const Shape& shape) { return Shape(shape.sizes().first(shape.sizes().size() - 1)); }

/// Calls body(row) for each row.
template <class Body>
void for_rows(ThreadPool& pool, std::int64_t rows, std::int64_t width, const Body& body) {
    for_ranges(pool, rows, row_grain(4 * width), [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t r = begin; r < end; ++r) body(r);
    });
}

}  // namespace glassformer::kernel
