#include "core/backend/gl/gl_ops.h"

namespace glassformer::gl {

namespace {

Dispatch& with_table(Dispatch&& d, const Shape& scores) {
    return d.set("count", scores.elements()).set("queries", scores[2]).set("keys", scores[3]);
}

void mask_causal(Recorder& gl, const GlStep& s) {
    with_table(gl.dispatch("mask_causal"), s.output.shape)
        .in("x", s.inputs[0].span)
        .out("y", s.output.span)
        .over_cells(s.output.shape.elements());
}

void mask_causal_backward(Recorder& gl, const GlStep& s) {
    with_table(gl.dispatch("mask_causal_backward"), s.output_gradient.shape)
        .in("dy", s.output_gradient.span)
        .add_to("dx", s.gradients[0].span, s.gradients[0].accumulate)
        .over_cells(s.output_gradient.shape.elements());
}

}  // namespace

extern const GlOp gl_mask_causal{"mask_causal", mask_causal, mask_causal_backward};

}  // namespace glassformer::gl
