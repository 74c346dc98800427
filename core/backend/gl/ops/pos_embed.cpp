#include "core/backend/gl/gl_ops.h"

namespace glassformer::gl {

namespace {

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

extern const GlOp gl_pos_embed{"pos_embed", pos_embed, pos_embed_backward};

}  // namespace glassformer::gl
