// Batch normalization: one invocation per feature sums over the words.

#include "core/backend/gl/gl_ops.h"

namespace glassformer::gl {

namespace {

/// x [B, P, D] as rows of D features.
Dispatch& with_rows(Dispatch& d, const Shape& x) {
    return d.set("rows", x[0] * x[1]).set("width", x[2]).loops(x[0] * x[1]);
}

void batch_norm_mean(Recorder& gl, const GlStep& s) {
    Dispatch d = gl.dispatch("batch_norm_mean");
    d.in("x", s.inputs[0].span).in("keep", s.inputs[1].span).out("mean", s.output.span);
    with_rows(d, s.inputs[0].shape).over_cells(s.output.shape.elements());
}

void batch_norm_variance(Recorder& gl, const GlStep& s) {
    Dispatch d = gl.dispatch("batch_norm_variance");
    d.in("x", s.inputs[0].span).in("keep", s.inputs[1].span).in("mean", s.inputs[2].span);
    d.out("variance", s.output.span);
    with_rows(d, s.inputs[0].shape).over_cells(s.output.shape.elements());
}

void batch_norm_choose(Recorder& gl, const GlStep& s) {
    gl.dispatch("batch_norm_choose")
        .in("batch", s.inputs[0].span)
        .in("running", s.inputs[1].span)
        .in("state", s.inputs[2].span)
        .out("y", s.output.span)
        .over_cells(s.output.shape.elements());
}

void batch_norm_normalize(Recorder& gl, const GlStep& s) {
    gl.dispatch("batch_norm_normalize")
        .in("x", s.inputs[0].span)
        .in("mean", s.inputs[2].span)
        .in("variance", s.inputs[3].span)
        .out("y", s.output.span)
        .set("width", s.output.shape[2])
        .set("epsilon", attribute(s.op, "epsilon"))
        .over_cells(s.output.shape.elements());
}

// First the means of dy and of dy ⊙ y over the words, per feature.
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
        .set("width", shape[2])
        .set("epsilon", attribute(s.op, "epsilon"))
        .over_cells(shape.elements());
}

}  // namespace

extern const GlOp gl_batch_norm_mean{"batch_norm_mean", batch_norm_mean};
extern const GlOp gl_batch_norm_variance{"batch_norm_variance", batch_norm_variance};
extern const GlOp gl_batch_norm_choose{"batch_norm_choose", batch_norm_choose};
extern const GlOp gl_batch_norm_normalize{"batch_norm_normalize", batch_norm_normalize, batch_norm_normalize_backward};

}  // namespace glassformer::gl
