#pragma once

// Batch normalization: one invocation for each feature sums over the words.

#include "core/backend/gl/gl_ops.h"

namespace glassformer::gl {

/// x [B, P, D] as rows of D features.
inline Dispatch& with_rows(Dispatch& d, const Shape& x) {
    return d.set("rows", x[0] * x[1]).set("width", x[2]).loops(x[0] * x[1]);
}

}  // namespace glassformer::gl
