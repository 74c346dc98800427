#include "core/backend/gl/gl_ops.h"

namespace glassformer::gl {

namespace {

void record_multiplied(Recorder& gl, const Span& a, const Span& b, const GlSlot& y) {
    gl.dispatch("multiply")
        .in("a", a)
        .in("b", b)
        .add_to("y", y.span, y.accumulate)
        .set("count", y.span.cells)
        .over_cells(y.span.cells);
}

void multiply(Recorder& gl, const GlStep& s) {
    record_multiplied(gl, s.inputs[0].span, s.inputs[1].span, {s.output.span, false});
}

void multiply_backward(Recorder& gl, const GlStep& s) {
    for (std::size_t i = 0; i < 2; ++i)
        if (s.gradients[i].span) record_multiplied(gl, s.output_gradient.span, s.inputs[1 - i].span, s.gradients[i]);
}

}  // namespace

extern const GlOp gl_multiply{"multiply", multiply, multiply_backward};

}  // namespace glassformer::gl
