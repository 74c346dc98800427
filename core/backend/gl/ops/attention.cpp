// Masks and softmax; the products of attention are in products.cpp.
#include "core/backend/gl/gl_ops.h"
#include "core/backend/gl/parts.h"

namespace glassformer::gl::record {

namespace {

Dispatch& with_table(Dispatch&& d, const Shape& scores) {
    return d.set("count", scores.elements()).set("queries", scores[2]).set("keys", scores[3]);
}

}  // namespace

void mask(Recorder& gl, const GlStep& s) {
    const Shape& shape = s.output.shape;
    gl.dispatch("mask")
        .in("x", s.inputs[0].span)
        .in("keep", s.inputs[1].span)
        .out("y", s.output.span)
        .set("count", shape.elements())
        .set("rows", shape[1] * shape[2])
        .set("keys", shape[3])
        .over_cells(shape.elements());
}

void mask_backward(Recorder& gl, const GlStep& s) {
    const Shape& shape = s.output_gradient.shape;
    gl.dispatch("mask_backward")
        .in("dy", s.output_gradient.span)
        .in("keep", s.inputs[1].span)
        .add_to("dx", s.gradients[0].span, s.gradients[0].accumulate)
        .set("count", shape.elements())
        .set("rows", shape[1] * shape[2])
        .set("keys", shape[3])
        .over_cells(shape.elements());
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

void softmax(Recorder& gl, const GlStep& s) {
    const std::int64_t width = s.output.shape.back(), rows = s.output.shape.elements() / width;
    each_part(rows, lines_at_once(gl, rows, width), [&](std::int64_t first, std::int64_t count) {
        gl.dispatch("softmax")
            .in("x", s.inputs[0].span.part(first * width, count * width))
            .out("y", s.output.span.part(first * width, count * width))
            .set("rows", count)
            .set("width", width)
            .over_rows(count);
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
            .set("rows", count)
            .set("width", width)
            .over_rows(count);
    });
}

void hardmax(Recorder& gl, const GlStep& s) {
    const std::int64_t width = s.output.shape.back(), rows = s.output.shape.elements() / width;
    gl.dispatch("hardmax")
        .in("x", s.inputs[0].span)
        .out("y", s.output.span)
        .set("rows", rows)
        .set("width", width)
        .over_rows(rows);
}

}  // namespace glassformer::gl::record
