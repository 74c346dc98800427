#include "core/backend/gl/gl_ops.h"

namespace glassformer::gl {

namespace {

void mean_pool(Recorder& gl, const GlStep& s) {
    const Shape& x = s.inputs[0].shape;
    gl.dispatch("mean_pool")
        .in("x", s.inputs[0].span)
        .in("keep", s.inputs[1].span)
        .out("y", s.output.span)
        .set("count", s.output.shape.elements())
        .set("positions", x[1])
        .set("width", x[2])
        .loops(2 * x[1])
        .over_cells(s.output.shape.elements());
}

void mean_pool_backward(Recorder& gl, const GlStep& s) {
    const Shape& x = s.inputs[0].shape;
    gl.dispatch("mean_pool_backward")
        .in("dy", s.output_gradient.span)
        .in("keep", s.inputs[1].span)
        .add_to("dx", s.gradients[0].span, s.gradients[0].accumulate)
        .set("count", x.elements())
        .set("positions", x[1])
        .set("width", x[2])
        .loops(x[1])
        .over_cells(x.elements());
}

}  // namespace

extern const GlOp gl_mean_pool{"mean_pool", mean_pool, mean_pool_backward};

}  // namespace glassformer::gl
