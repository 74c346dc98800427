#include "core/backend/gl/batch_norm_rows.h"
#include "core/backend/gl/gl_ops.h"

namespace glassformer::gl {

namespace {

void batch_norm_normalize(Recorder& gl, const GlStep& s) {
    gl.dispatch("batch_norm_normalize")
        .in("x", s.inputs[0].span)
        .in("mean", s.inputs[2].span)
        .in("variance", s.inputs[3].span)
        .out("y", s.output.span)
        .set("count", s.output.shape.elements())
        .set("width", s.output.shape[2])
        .set("epsilon", attribute(s.op, "epsilon"))
        .over_cells(s.output.shape.elements());
}

// The means of dy and of dy ⊙ y over the words first, feature by feature.
void batch_norm_normalize_backward(Recorder& gl, const GlStep& s) {
    const Shape& shape = s.output.shape;
    const Span means = gl.scratch(2 * shape[2]);
    Dispatch sums = gl.dispatch("batch_norm_normalize_sums");
    sums.in("y", s.output.span).in("dy", s.output_gradient.span).in("keep", s.inputs[1].span);
    sums.in("state", s.inputs[4].span).out("means", means);
    with_rows(sums, shape).over_cells(shape[2]);
    gl.dispatch("batch_norm_normalize_backward")
        .in("y", s.output.span)
        .in("dy", s.output_gradient.span)
        .in("keep", s.inputs[1].span)
        .in("variance", s.inputs[3].span)
        .in("means", means)
        .add_to("dx", s.gradients[0].span, s.gradients[0].accumulate)
        .set("count", shape.elements())
        .set("width", shape[2])
        .set("epsilon", attribute(s.op, "epsilon"))
        .over_cells(shape.elements());
}

}  // namespace

extern const GlOp gl_batch_norm_normalize{"batch_norm_normalize", batch_norm_normalize, batch_norm_normalize_backward};

}  // namespace glassformer::gl
