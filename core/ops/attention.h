#pragma once

// One head's small matrices, read in place from [pos, head, d_head] memory, and its scores, a few rows at a time.

#include "core/ops/kernel.h"
#include "core/ops/op.h"
#include "core/ops/product.h"

namespace glassformer {

/// Some rows of one head's scores, from query `first` on. Only the first `width` cells of each row are present; no
/// query of these rows may see a key beyond them (ScoreStep::visible_keys).
struct ScoreRows {
    float* data;
    std::int64_t rows, width, keys, stride;  // rows are `stride` apart
    std::int64_t first, queries;             // among all queries
    std::int64_t head, heads;
    const float* second;  // the step's second input, for this sentence; null if it has none

    float* row(std::int64_t r) const { return data + r * stride; }
};

/// An op between the scores and the attention weights that works cell by cell or row by row.
class ScoreStep : public Op {
public:
    /// Does to these rows, in place, what forward() does: the result is byte for byte the same if the rows are aligned
    /// to cache lines in the same way. The step that produces the weights writes whole rows.
    virtual void change(const ScoreRows& rows) const = 0;
    /// Upper bound on the number of keys that a query may see: every cell beyond is hidden.
    virtual std::int64_t visible_keys(std::int64_t /*query*/, std::int64_t /*queries*/, std::int64_t keys) const {
        return keys;
    }
};

namespace kernel {

/// One head's rows inside [P, H, D] memory: a [P, D] matrix with row stride H·D.
inline Operand head_rows(const float* data, std::int64_t positions, std::int64_t heads, std::int64_t width,
                         std::int64_t head) {
    return {data + head * width, positions, width, heads * width, 1};
}
inline Target head_target(float* data, std::int64_t heads, std::int64_t width, std::int64_t head, bool accumulate) {
    return {data + head * width, heads * width, accumulate};
}

}  // namespace kernel

}  // namespace glassformer
