#include "core/backend/gl/gl_ops.h"
#include "core/backend/gl/products.h"

namespace glassformer::gl {

namespace {

void attention_scores(Recorder& gl, const GlStep& s) {
    const Shape &q = s.inputs[0].shape, &k = s.inputs[1].shape;
    record_product(gl, "attention_scores", {q[1], k[1], q[3], q[0], q[2]}, heads_of(s.inputs[0].span, q),
                   heads_of(s.inputs[1].span, k).transposed(), tables_of(s.output.span, s.output.shape), false);
}

void attention_scores_backward(Recorder& gl, const GlStep& s) {
    const Shape &q = s.inputs[0].shape, &k = s.inputs[1].shape;
    const Matrices ds = tables_of(s.output_gradient.span, s.output_gradient.shape);
    if (const GlSlot& dq = s.gradients[0]; dq.span)
        record_product(gl, "attention_scores_backward", {q[1], q[3], k[1], q[0], q[2]}, ds,
                       heads_of(s.inputs[1].span, k), heads_of(dq.span, q), dq.accumulate);
    if (const GlSlot& dk = s.gradients[1]; dk.span)
        record_product(gl, "attention_scores_backward", {k[1], q[3], q[1], q[0], q[2]}, ds.transposed(),
                       heads_of(s.inputs[0].span, q), heads_of(dk.span, k), dk.accumulate);
}

}  // namespace

extern const GlOp gl_attention_scores{"attention_scores", attention_scores, attention_scores_backward};

}  // namespace glassformer::gl
