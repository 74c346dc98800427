#include "core/backend/gl/gl_ops.h"
#include "core/backend/gl/losses.h"
#include "core/backend/gl/parts.h"

namespace glassformer::gl {

namespace {

void cross_entropy(Recorder& gl, const GlStep& s) {
    const std::int64_t width = s.inputs[0].shape.back(), rows = s.inputs[1].shape.elements();
    const Span losses = gl.scratch(rows);
    each_part(rows, lines_at_once(gl, rows, width), [&](std::int64_t first, std::int64_t count) {
        gl.dispatch("cross_entropy")
            .in("logits", s.inputs[0].span.part(first * width, count * width))
            .in("targets", s.inputs[1].span.part(first, count))
            .in("weights", s.inputs[2].span.part(first, count))
            .out("losses", losses.part(first, count))
            .set("rows", count)
            .set("width", width)
            .over_rows(count, width);
    });
    record_mean_loss(gl, losses, s.inputs[2].span, s.output.span);
}

void cross_entropy_backward(Recorder& gl, const GlStep& s) {
    const GlSlot& dx = s.gradients[0];
    if (!dx.span) return;
    const std::int64_t width = s.inputs[0].shape.back(), rows = s.inputs[1].shape.elements();
    const Span total = record_total(gl, s.inputs[2].span);
    each_part(rows, lines_at_once(gl, rows, width), [&](std::int64_t first, std::int64_t count) {
        gl.dispatch("cross_entropy_backward")
            .in("logits", s.inputs[0].span.part(first * width, count * width))
            .in("targets", s.inputs[1].span.part(first, count))
            .in("weights", s.inputs[2].span.part(first, count))
            .in("total", total)
            .in("dy", s.output_gradient.span)
            .add_to("dx", dx.span.part(first * width, count * width), dx.accumulate)
            .set("rows", count)
            .set("width", width)
            .over_rows(count, width);
    });
}

}  // namespace

extern const GlOp gl_cross_entropy{"cross_entropy", cross_entropy, cross_entropy_backward};

}  // namespace glassformer::gl
