#include "core/backend/gl/gl_ops.h"

namespace glassformer::gl {

namespace {

void softmax(Recorder& gl, const GlStep& s) {
    const std::int64_t width = s.output.shape.back(), rows = s.output.shape.elements() / width;
    each_part(rows, lines_at_once(gl, rows, width), [&](std::int64_t first, std::int64_t count) {
        gl.dispatch("softmax")
            .in("x", s.inputs[0].span.part(first * width, count * width))
            .out("y", s.output.span.part(first * width, count * width))
            .over_rows(count, width);
    });
}

void softmax_backward(Recorder& gl, const GlStep& s) {
    const std::int64_t width = s.output.shape.back(), rows = s.output.shape.elements() / width;
    each_part(rows, lines_at_once(gl, rows, width), [&](std::int64_t first, std::int64_t count) {
        const std::int64_t at = first * width, cells = count * width;
        gl.dispatch("softmax_backward")
            .in("y", s.output.span.part(at, cells))
            .in("dy", s.output_gradient.span.part(at, cells))
            .add_to("dx", s.gradients[0].span.part(at, cells), s.gradients[0].accumulate)
            .over_rows(count, width);
    });
}

void hardmax(Recorder& gl, const GlStep& s) {
    const std::int64_t width = s.output.shape.back(), rows = s.output.shape.elements() / width;
    gl.dispatch("hardmax").in("x", s.inputs[0].span).out("y", s.output.span).over_rows(rows, width);
}

}  // namespace

extern const GlOp gl_softmax{"softmax", softmax, softmax_backward};
extern const GlOp gl_hardmax{"hardmax", hardmax};

}  // namespace glassformer::gl
