#pragma once

// What the norms that work row by row share; see core/ops/norm_rows.h.

#include "core/backend/gl/gl_ops.h"

namespace glassformer::gl {

/// x [.., D] as rows of D features.
struct Rows {
    std::int64_t width, count;
    explicit Rows(const Shape& x) : width(x.back()), count(x.elements() / x.back()) {}
};

/// Forward of the scale, of x and, in LayerNorm, its mean.
inline void norm_scale(Recorder& gl, const GlStep& s) {
    const Rows n(s.inputs[0].shape);
    Dispatch d = gl.dispatch(std::string(s.op.name()));
    d.in("x", s.inputs[0].span).out("scale", s.output.span);
    if (s.inputs.size() > 1) d.in("mean", s.inputs[1].span);
    d.set("rows", n.count).set("width", n.width).set("epsilon", attribute(s.op, "epsilon")).over_rows(n.count, n.width);
}

/// Forward of x̂, of x, in LayerNorm its mean, and the scale.
inline void norm_normalize(Recorder& gl, const GlStep& s) {
    const Shape& y = s.output.shape;
    Dispatch d = gl.dispatch(std::string(s.op.name()));
    d.in("x", s.inputs[0].span).in("scale", s.inputs.back().span).out("y", s.output.span);
    if (s.inputs.size() > 2) d.in("mean", s.inputs[1].span);
    d.set("count", y.elements()).set("width", y.back()).over_cells(y.elements());
}

inline void norm_normalize_backward(Recorder& gl, const GlStep& s) {
    const Rows n(s.output.shape);
    gl.dispatch(std::string(s.op.name()) + "_backward")
        .in("y", s.output.span)
        .in("scale", s.inputs.back().span)
        .in("dy", s.output_gradient.span)
        .add_to("dx", s.gradients[0].span, s.gradients[0].accumulate)
        .set("rows", n.count)
        .set("width", n.width)
        .over_rows(n.count, n.width);
}

}  // namespace glassformer::gl
