#include "core/backend/gl/gl_ops.h"

namespace glassformer::gl {

// Cell-wise functions: each shader is named after its op.

namespace {

void activation(Recorder& gl, const GlStep& s) {
    gl.dispatch(std::string(s.op.name()))
        .in("x", s.inputs[0].span)
        .out("y", s.output.span)
        .over_cells(s.output.shape.elements());
}

void activation_backward(Recorder& gl, const GlStep& s) {
    const Span& x = s.inputs[0].span ? s.inputs[0].span : s.output.span;  // relu reads its output
    gl.dispatch(std::string(s.op.name()) + "_backward")
        .in("x", x)
        .in("dy", s.output_gradient.span)
        .add_to("dx", s.gradients[0].span, s.gradients[0].accumulate)
        .over_cells(s.output_gradient.shape.elements());
}

void add(Recorder& gl, const GlStep& s) {
    gl.dispatch("add")
        .in("a", s.inputs[0].span)
        .in("b", s.inputs[1].span)
        .out("y", s.output.span)
        .set("period", s.inputs[1].shape.elements())
        .over_cells(s.output.shape.elements());
}

// da = dy; db = Σ dy over the repetitions. db comes first, because da may overwrite dy in place.
void add_backward(Recorder& gl, const GlStep& s) {
    const std::int64_t period = s.inputs[1].shape.elements(), repeats = s.output.shape.elements() / period;
    if (const GlSlot& db = s.gradients[1]; db.span) {
        if (repeats == 1)
            record_copy(gl, s.output_gradient.span, db);
        else
            record_column_sums(gl, s.output_gradient.span, repeats, period, db);
    }
    if (const GlSlot& da = s.gradients[0]; da.span) record_copy(gl, s.output_gradient.span, da);
}

void record_multiplied(Recorder& gl, const Span& a, const Span& b, const GlSlot& y) {
    gl.dispatch("multiply").in("a", a).in("b", b).add_to("y", y.span, y.accumulate).over_cells(y.span.cells);
}

void multiply(Recorder& gl, const GlStep& s) {
    record_multiplied(gl, s.inputs[0].span, s.inputs[1].span, {s.output.span, false});
}

void multiply_backward(Recorder& gl, const GlStep& s) {
    for (std::size_t i = 0; i < 2; ++i)
        if (s.gradients[i].span) record_multiplied(gl, s.output_gradient.span, s.inputs[1 - i].span, s.gradients[i]);
}

void scale(Recorder& gl, const GlStep& s) {
    record_scaled(gl, s.inputs[0].span, {s.output.span, false}, attribute(s.op, "factor"));
}

void scale_backward(Recorder& gl, const GlStep& s) {
    record_scaled(gl, s.output_gradient.span, s.gradients[0], attribute(s.op, "factor"));
}

void record_dropout(Recorder& gl, const GlStep& s, const Span& x, const GlSlot& y) {
    const double rate = attribute(s.op, "rate");
    gl.dispatch("dropout")
        .in("x", x)
        .in("state", s.inputs[1].span)
        .add_to("y", y.span, y.accumulate)
        .set("stream", static_cast<std::int64_t>(attribute(s.op, "stream")))
        .set("threshold", static_cast<std::int64_t>(rate * 4294967296.0))
        .set("factor", 1.0 / (1.0 - rate))
        .over_cells(s.output.shape.elements());
}

void dropout(Recorder& gl, const GlStep& s) { record_dropout(gl, s, s.inputs[0].span, {s.output.span, false}); }
void dropout_backward(Recorder& gl, const GlStep& s) { record_dropout(gl, s, s.output_gradient.span, s.gradients[0]); }

}  // namespace

extern const GlOp gl_relu{"relu", activation, activation_backward};
extern const GlOp gl_gelu{"gelu", activation, activation_backward};
extern const GlOp gl_gelu_tanh{"gelu_tanh", activation, activation_backward};
extern const GlOp gl_silu{"silu", activation, activation_backward};
extern const GlOp gl_tanh{"tanh", activation, activation_backward};

extern const GlOp gl_add{"add", add, add_backward};
extern const GlOp gl_multiply{"multiply", multiply, multiply_backward};
extern const GlOp gl_scale{"scale", scale, scale_backward};
extern const GlOp gl_dropout{"dropout", dropout, dropout_backward};

}  // namespace glassformer::gl
