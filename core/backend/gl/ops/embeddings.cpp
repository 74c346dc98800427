#include <algorithm>

#include "core/backend/gl/gl_ops.h"

namespace glassformer::gl {

namespace {

void embed(Recorder& gl, const GlStep& s) {
    const std::int64_t width = s.output.shape.back(), words = s.inputs[1].shape[0];
    each_part(words, lines_at_once(gl, words, width), [&](std::int64_t first, std::int64_t count) {
        gl.dispatch("embed")
            .in("tokens", s.inputs[0].span)
            .in("table", s.inputs[1].span.part(first * width, count * width))
            .out("y", s.output.span)
            .set("width", width)
            .set("first_word", first)
            .set("words", count)
            .over_cells(s.output.shape.elements());
    });
}

// A word may occur several times, and its gradients must be summed in a fixed order: first the positions of each word
// are chained, then its first position adds up the chain. Long texts are processed in parts, because finding a word's
// next position takes time proportional to the length.
void embed_backward(Recorder& gl, const GlStep& s) {
    constexpr std::int64_t most_places = 8192;
    const GlSlot& dw = s.gradients[1];
    if (!dw.span) return;
    const std::int64_t width = s.output_gradient.shape.back(), all_places = s.inputs[0].shape.elements(),
                       part = std::min({all_places, most_places, gl.device().most_iterations / 2});
    const Span next = gl.scratch(part), first = gl.scratch(part);
    if (!dw.accumulate) record_fill(gl, dw.span, 0.0);
    const std::int64_t words = s.inputs[1].shape[0];
    each_part(all_places, part, [&](std::int64_t begin, std::int64_t places) {
        const Span tokens = s.inputs[0].span.part(begin, places);
        gl.dispatch("embed_chain")
            .in("tokens", tokens)
            .out("next", next)
            .out("is_first", first)
            .set("places", places)
            .loops(places)
            .over_cells(places);
        each_part(words, lines_at_once(gl, words, width), [&](std::int64_t first_word, std::int64_t count) {
            gl.dispatch("embed_backward")
                .in("tokens", tokens)
                .in("next", next)
                .in("is_first", first)
                .in("dy", s.output_gradient.span.part(begin * width, places * width))
                .out("dw", dw.span.part(first_word * width, count * width))
                .set("width", width)
                .set("first_word", first_word)
                .set("words", count)
                .loops(places)
                .over_cells(places * width);
        });
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

}  // namespace

extern const GlOp gl_embed{"embed", embed, embed_backward};
extern const GlOp gl_pos_embed{"pos_embed", pos_embed, pos_embed_backward};

}  // namespace glassformer::gl
