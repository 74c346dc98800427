#pragma once

// A loss: one number a row, their weighted mean.

#include "core/backend/gl/gl_ops.h"

namespace glassformer::gl {

/// Σ w, in scratch.
inline Span record_total(Recorder& gl, const Span& weights) {
    const Span total = gl.scratch(1);
    gl.dispatch("sum").in("x", weights).out("y", total).set("count", weights.cells).groups(1);
    return total;
}

/// loss = Σ losses / Σ weights.
inline void record_mean_loss(Recorder& gl, const Span& losses, const Span& weights, const Span& loss) {
    const Span sum = gl.scratch(1);
    gl.dispatch("sum").in("x", losses).out("y", sum).set("count", losses.cells).groups(1);
    const Span total = record_total(gl, weights);
    gl.dispatch("share").in("sum", sum).in("total", total).out("y", loss).groups(1);
}

}  // namespace glassformer::gl
