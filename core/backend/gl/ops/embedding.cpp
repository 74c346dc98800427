// Rows that are looked up, and the loss, which looks up one logit of each row.
#include "core/backend/gl/gl_ops.h"
#include "core/backend/gl/parts.h"

namespace glassformer::gl::record {

void embed(Recorder& gl, const GlStep& s) {
    const std::int64_t width = s.output.shape.back(), words = s.inputs[1].shape[0];
    each_part(words, lines_at_once(gl, words, width), [&](std::int64_t first, std::int64_t count) {
        gl.dispatch("embed")
            .in("tokens", s.inputs[0].span)
            .in("table", s.inputs[1].span.part(first * width, count * width))
            .out("y", s.output.span)
            .set("count", s.output.shape.elements())
            .set("width", width)
            .set("first_word", first)
            .set("words", count)
            .over_cells(s.output.shape.elements());
    });
}

// Words repeat, and a sum must have one order: each word's places are chained first, then the first place of each word
// adds up its chain.
void embed_backward(Recorder& gl, const GlStep& s) {
    const GlSlot& dw = s.gradients[1];
    if (!dw.span) return;
    const std::int64_t width = s.output_gradient.shape.back(), places = s.inputs[0].shape.elements();
    const Span next = gl.scratch(places), first = gl.scratch(places);
    gl.dispatch("embed_chain")
        .in("tokens", s.inputs[0].span)
        .out("next", next)
        .out("is_first", first)
        .set("places", places)
        .over_cells(places);
    if (!dw.accumulate) record_fill(gl, dw.span, 0.0);
    const std::int64_t words = s.inputs[1].shape[0];
    each_part(words, lines_at_once(gl, words, width), [&](std::int64_t first_word, std::int64_t count) {
        gl.dispatch("embed_backward")
            .in("tokens", s.inputs[0].span)
            .in("next", next)
            .in("is_first", first)
            .in("dy", s.output_gradient.span)
            .out("dw", dw.span.part(first_word * width, count * width))
            .set("count", places * width)
            .set("width", width)
            .set("first_word", first_word)
            .set("words", count)
            .over_cells(places * width);
    });
}

void pos_embed(Recorder& gl, const GlStep& s) {
    record_copy(gl, s.inputs[0].span.part(0, s.output.shape.elements()), {s.output.span, false});
}

void pos_embed_backward(Recorder& gl, const GlStep& s) {
    const GlSlot& dw = s.gradients[0];
    const std::int64_t used = s.output_gradient.shape.elements(), all = dw.span.cells;
    record_copy(gl, s.output_gradient.span, {dw.span.part(0, used), dw.accumulate});
    if (!dw.accumulate && used < all) record_fill(gl, dw.span.part(used, all - used), 0.0);
}

namespace {

/// Σ w, in scratch.
Span record_total(Recorder& gl, const Span& weights) {
    const Span total = gl.scratch(1);
    gl.dispatch("sum").in("x", weights).out("y", total).set("count", weights.cells).groups(1);
    return total;
}

}  // namespace

void cross_entropy(Recorder& gl, const GlStep& s) {
    const std::int64_t width = s.inputs[0].shape.back(), rows = s.inputs[1].shape.elements();
    const Span losses = gl.scratch(rows), sum = gl.scratch(1);
    each_part(rows, lines_at_once(gl, rows, width), [&](std::int64_t first, std::int64_t count) {
        gl.dispatch("cross_entropy")
            .in("logits", s.inputs[0].span.part(first * width, count * width))
            .in("targets", s.inputs[1].span.part(first, count))
            .in("weights", s.inputs[2].span.part(first, count))
            .out("losses", losses.part(first, count))
            .set("rows", count)
            .set("width", width)
            .over_rows(count);
    });
    gl.dispatch("sum").in("x", losses).out("y", sum).set("count", rows).groups(1);
    const Span total = record_total(gl, s.inputs[2].span);
    gl.dispatch("share").in("sum", sum).in("total", total).out("y", s.output.span).groups(1);
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
            .over_rows(count);
    });
}

void squared_error(Recorder& gl, const GlStep& s) {
    const std::int64_t width = s.inputs[0].shape.back(), rows = s.inputs[2].shape.elements();
    const Span losses = gl.scratch(rows), sum = gl.scratch(1);
    gl.dispatch("squared_error")
        .in("prediction", s.inputs[0].span)
        .in("target", s.inputs[1].span)
        .in("weights", s.inputs[2].span)
        .out("losses", losses)
        .set("rows", rows)
        .set("width", width)
        .over_rows(rows);
    gl.dispatch("sum").in("x", losses).out("y", sum).set("count", rows).groups(1);
    const Span total = record_total(gl, s.inputs[2].span);
    gl.dispatch("share").in("sum", sum).in("total", total).out("y", s.output.span).groups(1);
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

}  // namespace glassformer::gl::record
