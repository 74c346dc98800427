#pragma once

// A loss: one number a row, their weighted mean.

#include "core/backend/gl/gl_ops.h"
#include "core/base/ceil_div.h"

namespace glassformer::gl {

/// Σ x, in scratch.
inline Span record_total(Recorder& gl, const Span& x) {
    const Span total = gl.scratch(1);
    constexpr std::int64_t invocations = 64;
    gl.dispatch("sum")
        .in("x", x)
        .out("y", total)
        .set("count", x.cells)
        .loops(ceil_div(x.cells, invocations) + invocations)
        .groups(1);
    return total;
}

/// loss = Σ losses / Σ weights.
inline void record_mean_loss(Recorder& gl, const Span& losses, const Span& weights, const Span& loss) {
    const Span sum = record_total(gl, losses), total = record_total(gl, weights);
    gl.dispatch("share").in("sum", sum).in("total", total).out("y", loss).groups(1);
}

}  // namespace glassformer::gl
