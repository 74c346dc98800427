#pragma once

#include "core/backend/gl/gl_ops.h"

namespace glassformer::gl {

/// Matrices in memory, one for each pair (outer, inner): lines are `stride` cells apart, and the matrix of a pair
/// starts outer · outer_step + inner · inner_step cells after the span's first cell.
struct Matrices {
    Span span;
    std::int64_t stride = 0;
    bool turned = false;  // stored as its transpose: a line is a column
    std::int64_t outer_step = 0, inner_step = 0;

    Matrices transposed() const { return {span, stride, !turned, outer_step, inner_step}; }
};

struct ProductShape {
    std::int64_t rows = 0, columns = 0, depth = 0;
    std::int64_t outer = 1, inner = 1;  // numbers of pairs
};

/// c (+)= a·b (+ bias), for every pair, with the shader compute/<shader>.comp (include/product.glsl). c must not be
/// turned.
void record_product(Recorder& gl, const char* shader, const ProductShape& shape, const Matrices& a, const Matrices& b,
                    const Matrices& c, bool accumulate, const Span& bias = {});

/// One row-major matrix [lines, cells].
inline Matrices whole(const Span& span, std::int64_t cells) { return {span, cells}; }

/// Each head's rows in [B, P, H, D] memory: outer counts sentences, inner heads.
inline Matrices heads_of(const Span& span, const Shape& shape) {
    return {span, shape[2] * shape[3], false, shape[1] * shape[2] * shape[3], shape[3]};
}

/// Each head's table in [B, H, P_q, P_k] memory.
inline Matrices tables_of(const Span& span, const Shape& shape) {
    return {span, shape[3], false, shape[1] * shape[2] * shape[3], shape[2] * shape[3]};
}

}  // namespace glassformer::gl
