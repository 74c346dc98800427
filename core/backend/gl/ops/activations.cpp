// One function of every cell: the shader has the name of the op.

#include "core/backend/gl/gl_ops.h"

namespace glassformer::gl {

namespace {

void activation(Recorder& gl, const GlStep& s) {
    gl.dispatch(std::string(s.op.name()))
        .in("x", s.inputs[0].span)
        .out("y", s.output.span)
        .set("count", s.output.shape.elements())
        .over_cells(s.output.shape.elements());
}

void activation_backward(Recorder& gl, const GlStep& s) {
    const Span& x = s.inputs[0].span ? s.inputs[0].span : s.output.span;  // relu reads its output
    gl.dispatch(std::string(s.op.name()) + "_backward")
        .in("x", x)
        .in("dy", s.output_gradient.span)
        .add_to("dx", s.gradients[0].span, s.gradients[0].accumulate)
        .set("count", s.output_gradient.shape.elements())
        .over_cells(s.output_gradient.shape.elements());
}

}  // namespace

extern const GlOp gl_relu{"relu", activation, activation_backward};
extern const GlOp gl_gelu{"gelu", activation, activation_backward};
extern const GlOp gl_gelu_tanh{"gelu_tanh", activation, activation_backward};
extern const GlOp gl_silu{"silu", activation, activation_backward};
extern const GlOp gl_tanh{"tanh", activation, activation_backward};

}  // namespace glassformer::gl
