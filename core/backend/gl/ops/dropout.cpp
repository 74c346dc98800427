#include "core/backend/gl/gl_ops.h"

namespace glassformer::gl {

namespace {

void record_dropout(Recorder& gl, const GlStep& s, const Span& x, const GlSlot& y) {
    const double rate = attribute(s.op, "rate");
    gl.dispatch("dropout")
        .in("x", x)
        .in("state", s.inputs[1].span)
        .add_to("y", y.span, y.accumulate)
        .set("count", s.output.shape.elements())
        .set("stream", static_cast<std::int64_t>(attribute(s.op, "stream")))
        .set("threshold", static_cast<std::int64_t>(rate * 4294967296.0))
        .set("factor", 1.0 / (1.0 - rate))
        .over_cells(s.output.shape.elements());
}

void dropout(Recorder& gl, const GlStep& s) { record_dropout(gl, s, s.inputs[0].span, {s.output.span, false}); }
void dropout_backward(Recorder& gl, const GlStep& s) { record_dropout(gl, s, s.output_gradient.span, s.gradients[0]); }

}  // namespace

extern const GlOp gl_dropout{"dropout", dropout, dropout_backward};

}  // namespace glassformer::gl
