#pragma once

#include "core/backend/gl/recorder.h"

namespace glassformer::gl {

/// Matrices in memory, one for each pair (outer, inner): lines `stride` apart, the matrix of a pair
/// outer · outer_step + inner · inner_step after the span's first cell.
struct Matrices {
    Span span;
    std::int64_t stride = 0;
    bool turned = false;  // lies in memory as its transpose: a line is a column
    std::int64_t outer_step = 0, inner_step = 0;

    Matrices transposed() const { return {span, stride, !turned, outer_step, inner_step}; }
};

struct ProductShape {
    std::int64_t rows = 0, columns = 0, depth = 0;
    std::int64_t outer = 1, inner = 1;  // how many pairs
};

/// c (+)= a·b (+ bias), for every pair, with the shader compute/<shader>.comp (include/product.glsl). c is not turned.
void record_product(Recorder& gl, const char* shader, const ProductShape& shape, const Matrices& a, const Matrices& b,
                    const Matrices& c, bool accumulate, const Span& bias = {});

}  // namespace glassformer::gl
