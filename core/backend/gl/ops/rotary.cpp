#include "core/backend/gl/rotary.h"

#include "core/backend/gl/gl_ops.h"

namespace glassformer::gl {

namespace {

void record_turn(Recorder& gl, const GlStep& s, const Span& x, const GlSlot& y, double direction) {
    const Shape& shape = s.output.shape;
    if (shape.elements() == 0) return;
    const Span table = gl.constants(angles(shape[1], {attribute(s.op, "base"), shape[3]}));
    gl.dispatch("rotary")
        .in("x", x)
        .in("angles", table)
        .add_to("y", y.span, y.accumulate)
        .set("count", shape.elements() / 2)
        .set("positions", shape[1])
        .set("heads", shape[2])
        .set("pairs", shape[3] / 2)
        .set("direction", direction)
        .over_cells(shape.elements() / 2);
}

void rotary(Recorder& gl, const GlStep& s) { record_turn(gl, s, s.inputs[0].span, {s.output.span, false}, 1.0); }

// A rotation's transpose is the rotation the other way.
void rotary_backward(Recorder& gl, const GlStep& s) {
    record_turn(gl, s, s.output_gradient.span, s.gradients[0], -1.0);
}

}  // namespace

extern const GlOp gl_rotary{"rotary", rotary, rotary_backward};

}  // namespace glassformer::gl
