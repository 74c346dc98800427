#include "core/backend/gl/gl_ops.h"

namespace glassformer::gl {

namespace {

void alibi(Recorder& gl, const GlStep& s) {
    const Shape& shape = s.output.shape;
    gl.dispatch("alibi")
        .in("x", s.inputs[0].span)
        .in("place", s.inputs.back().span)
        .out("y", s.output.span)
        .set("count", shape.elements())
        .set("heads", shape[1])
        .set("queries", shape[2])
        .set("keys", shape[3])
        .set("at_place", s.inputs.size() > 1 ? 1 : 0)
        .over_cells(shape.elements());
}

// What is subtracted does not depend on the scores.
void alibi_backward(Recorder& gl, const GlStep& s) { record_copy(gl, s.output_gradient.span, s.gradients[0]); }

}  // namespace

extern const GlOp gl_alibi{"alibi", alibi, alibi_backward};

}  // namespace glassformer::gl
