#include "core/backend/gl/gl_ops.h"
#include "core/backend/gl/parts.h"

namespace glassformer::gl {

namespace {

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

}  // namespace

extern const GlOp gl_embed{"embed", embed, embed_backward};

}  // namespace glassformer::gl
