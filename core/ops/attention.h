#pragma once

// One head's small matrices, read in place from [pos, head, d_head] memory; and its scores, a few rows at a time.

#include "core/ops/kernel.h"
#include "core/ops/op.h"
#include "core/ops/product.h"

namespace glassformer {

/// Some rows of one head's scores: the queries from `first` on. Of each row the first `width` cells are there; no query
/// of these rows may see a key beyond them (ScoreStep::visible_keys).
struct ScoreRows {
    float* data;
    std::int64_t rows, width, keys, stride;  // rows lie `stride` apart
    std::int64_t first, queries;             // of all queries
    std::int64_t head, heads;
    const float* second;  // the step's second input, for this sentence; null where it has none

    float* row(std::int64_t r) const { return data + r * stride; }
};

/// An op between the scores and the weights that are mixed, cell for cell or row for row.
class ScoreStep : public Op {
public:
    /// Makes of these rows, where they lie, what forward() makes of them: the same bytes where they lie alike on the
    /// cache lines. The step that makes the weights writes whole rows.
    virtual void change(const ScoreRows& rows) const = 0;
    /// The keys that a query may see at most: no cell after them is more than hidden.
    virtual std::int64_t visible_keys(std::int64_t /*query*/, std::int64_t /*queries*/, std::int64_t keys) const {
        return keys;
    }
};

namespace kernel {

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

}  // namespace kernel

}  // namespace glassformer
