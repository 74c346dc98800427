#include "core/backend/gl/gl_ops.h"

namespace glassformer::gl {

namespace {

Dispatch& with_table(Dispatch&& d, const GlStep& s, const Shape& scores) {
    return d.set("count", scores.elements())
        .set("queries", scores[2])
        .set("keys", scores[3])
        .set("window", static_cast<std::int64_t>(attribute(s.op, "window")));
}

void mask_window(Recorder& gl, const GlStep& s) {
    with_table(gl.dispatch("mask_window"), s, s.output.shape)
        .in("x", s.inputs[0].span)
        .out("y", s.output.span)
        .over_cells(s.output.shape.elements());
}

void mask_window_backward(Recorder& gl, const GlStep& s) {
    with_table(gl.dispatch("mask_window_backward"), s, s.output_gradient.shape)
        .in("dy", s.output_gradient.span)
        .add_to("dx", s.gradients[0].span, s.gradients[0].accumulate)
        .over_cells(s.output_gradient.shape.elements());
}

}  // namespace

extern const GlOp gl_mask_window{"mask_window", mask_window, mask_window_backward};

}  // namespace glassformer::gl
