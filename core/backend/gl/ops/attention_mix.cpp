#include "core/backend/gl/gl_ops.h"
#include "core/backend/gl/products.h"

namespace glassformer::gl {

namespace {

void attention_mix(Recorder& gl, const GlStep& s) {
    const Shape &p = s.inputs[0].shape, &v = s.inputs[1].shape;
    record_product(gl, "attention_mix", {p[2], v[3], p[3], p[0], p[1]}, tables_of(s.inputs[0].span, p),
                   heads_of(s.inputs[1].span, v), heads_of(s.output.span, s.output.shape), false);
}

void attention_mix_backward(Recorder& gl, const GlStep& s) {
    const Shape &p = s.inputs[0].shape, &v = s.inputs[1].shape;
    const Matrices dz = heads_of(s.output_gradient.span, s.output_gradient.shape);
    if (const GlSlot& dp = s.gradients[0]; dp.span)
        record_product(gl, "attention_mix_backward", {p[2], p[3], v[3], p[0], p[1]}, dz,
                       heads_of(s.inputs[1].span, v).transposed(), tables_of(dp.span, p), dp.accumulate);
    if (const GlSlot& dv = s.gradients[1]; dv.span)
        record_product(gl, "attention_mix_backward", {p[3], v[3], p[2], p[0], p[1]},
                       tables_of(s.inputs[0].span, p).transposed(), dz, heads_of(dv.span, v), dv.accumulate);
}

}  // namespace

extern const GlOp gl_attention_mix{"attention_mix", attention_mix, attention_mix_backward};

}  // namespace glassformer::gl
