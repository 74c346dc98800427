#include "core/backend/gl/gl_ops.h"

namespace glassformer::gl {

namespace {

void mask(Recorder& gl, const GlStep& s) {
    const Shape& shape = s.output.shape;
    gl.dispatch("mask")
        .in("x", s.inputs[0].span)
        .in("keep", s.inputs[1].span)
        .out("y", s.output.span)
        .set("count", shape.elements())
        .set("rows", shape[1] * shape[2])
        .set("keys", shape[3])
        .over_cells(shape.elements());
}

void mask_backward(Recorder& gl, const GlStep& s) {
    const Shape& shape = s.output_gradient.shape;
    gl.dispatch("mask_backward")
        .in("dy", s.output_gradient.span)
        .in("keep", s.inputs[1].span)
        .add_to("dx", s.gradients[0].span, s.gradients[0].accumulate)
        .set("count", shape.elements())
        .set("rows", shape[1] * shape[2])
        .set("keys", shape[3])
        .over_cells(shape.elements());
}

}  // namespace

extern const GlOp gl_mask{"mask", mask, mask_backward};

}  // namespace glassformer::gl
