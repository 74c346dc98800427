#include "core/backend/gl/gl_ops.h"
#include "core/backend/gl/losses.h"

namespace glassformer::gl {

namespace {

void squared_error(Recorder& gl, const GlStep& s) {
    const std::int64_t width = s.inputs[0].shape.back(), rows = s.inputs[2].shape.elements();
    const Span losses = gl.scratch(rows);
    gl.dispatch("squared_error")
        .in("prediction", s.inputs[0].span)
        .in("target", s.inputs[1].span)
        .in("weights", s.inputs[2].span)
        .out("losses", losses)
        .set("rows", rows)
        .set("width", width)
        .over_rows(rows, width);
    record_mean_loss(gl, losses, s.inputs[2].span, s.output.span);
}

void squared_error_backward(Recorder& gl, const GlStep& s) {
    const Span total = record_total(gl, s.inputs[2].span);
    gl.dispatch("squared_error_backward")
        .in("prediction", s.inputs[0].span)
        .in("target", s.inputs[1].span)
        .in("weights", s.inputs[2].span)
        .in("total", total)
        .in("dy", s.output_gradient.span)
        .add_to("dp", s.gradients[0].span, s.gradients[0].accumulate)
        .set("count", s.inputs[0].shape.elements())
        .set("width", s.inputs[0].shape.back())
        .over_cells(s.inputs[0].shape.elements());
}

}  // namespace

extern const GlOp gl_squared_error{"squared_error", squared_error, squared_error_backward};

}  // namespace glassformer::gl
