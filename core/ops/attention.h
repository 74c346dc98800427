#pragma once

// One head's small matrices, read in place from [pos, head, d_head] memory.

#include "core/ops/kernel.h"
#include "core/ops/product.h"

namespace glassformer::kernel {

/// One head's rows inside [P, H, D] memory: a [P, D] matrix whose rows lie H·D apart.
inline Operand head_rows(const float* data, std::int64_t positions, std::int64_t heads, std::int64_t width,
                         std::int64_t head) {
    return {data + head * width, positions, width, heads * width, 1};
}
inline Target head_target(float* data, std::int64_t heads, std::int64_t width, std::int64_t head, bool accumulate) {
    return {data + head * width, heads * width, accumulate};
}

/// Heads per piece of work, each costing `cost` multiply-adds.
inline std::int64_t head_grain(std::int64_t cost) {
    return std::max<std::int64_t>(1, 65536 / std::max<std::int64_t>(cost, 1));
}

}  // namespace glassformer::kernel
