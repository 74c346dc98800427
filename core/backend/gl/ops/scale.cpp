#include "core/backend/gl/gl_ops.h"

namespace glassformer::gl {

namespace {

void scale(Recorder& gl, const GlStep& s) {
    record_scaled(gl, s.inputs[0].span, {s.output.span, false}, attribute(s.op, "factor"));
}

void scale_backward(Recorder& gl, const GlStep& s) {
    record_scaled(gl, s.output_gradient.span, s.gradients[0], attribute(s.op, "factor"));
}

}  // namespace

extern const GlOp gl_scale{"scale", scale, scale_backward};

}  // namespace glassformer::gl
