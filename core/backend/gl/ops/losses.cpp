// Losses: one number per row, then their weighted mean.

#include "core/backend/gl/gl_ops.h"
#include "core/base/ceil_div.h"

namespace glassformer::gl {

namespace {

/// Σ x, in scratch.
Span record_total(Recorder& gl, const Span& x) {
    const Span total = gl.scratch(1);
    constexpr std::int64_t invocations = 64;
    gl.dispatch("sum")
        .in("x", x)
        .out("y", total)
        .set("count", x.cells)
        .loops(ceil_div(x.cells, invocations) + invocations)
        .groups(1);
    return total;
}

/// loss = Σ losses / Σ weights.
void record_mean_loss(Recorder& gl, const Span& losses, const Span& weights, const Span& loss) {
    const Span sum = record_total(gl, losses), total = record_total(gl, weights);
    gl.dispatch("share").in("sum", sum).in("total", total).out("y", loss).groups(1);
}

void cross_entropy(Recorder& gl, const GlStep& s) {
    const std::int64_t width = s.inputs[0].shape.back(), rows = s.inputs[1].shape.elements();
    const Span losses = gl.scratch(rows);
    each_part(rows, lines_at_once(gl, rows, width), [&](std::int64_t first, std::int64_t count) {
        gl.dispatch("cross_entropy")
            .in("logits", s.inputs[0].span.part(first * width, count * width))
            .in("targets", s.inputs[1].span.part(first, count))
            .in("weights", s.inputs[2].span.part(first, count))
            .out("losses", losses.part(first, count))
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
            .over_rows(count, width);
    });
}

void squared_error(Recorder& gl, const GlStep& s) {
    const std::int64_t width = s.inputs[0].shape.back(), rows = s.inputs[2].shape.elements();
    const Span losses = gl.scratch(rows);
    gl.dispatch("squared_error")
        .in("prediction", s.inputs[0].span)
        .in("target", s.inputs[1].span)
        .in("weights", s.inputs[2].span)
        .out("losses", losses)
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
        .set("width", s.inputs[0].shape.back())
        .over_cells(s.inputs[0].shape.elements());
}

}  // namespace

extern const GlOp gl_cross_entropy{"cross_entropy", cross_entropy, cross_entropy_backward};
extern const GlOp gl_squared_error{"squared_error", squared_error, squared_error_backward};

}  // namespace glassformer::gl
