#include "core/backend/gl/gl_ops.h"
#include "core/backend/gl/rotary.h"

namespace glassformer::gl {

namespace {

void record_partial_turn(Recorder& gl, const GlStep& s, const Span& x, const GlSlot& y, double direction) {
    const Shape& shape = s.output.shape;
    if (shape.elements() == 0) return;
    const auto dims = static_cast<std::int64_t>(attribute(s.op, "dims"));
    const Span table = gl.constants(angles(shape[1], {attribute(s.op, "base"), dims}));
    gl.dispatch("rotary_partial")
        .in("x", x)
        .in("angles", table)
        .add_to("y", y.span, y.accumulate)
        .set("count", shape.elements())
        .set("positions", shape[1])
        .set("heads", shape[2])
        .set("width", shape[3])
        .set("dims", dims)
        .set("direction", direction)
        .over_cells(shape.elements());
}

void rotary_partial(Recorder& gl, const GlStep& s) {
    record_partial_turn(gl, s, s.inputs[0].span, {s.output.span, false}, 1.0);
}

void rotary_partial_backward(Recorder& gl, const GlStep& s) {
    record_partial_turn(gl, s, s.output_gradient.span, s.gradients[0], -1.0);
}

}  // namespace

extern const GlOp gl_rotary_partial{"rotary_partial", rotary_partial, rotary_partial_backward};

}  // namespace glassformer::gl
