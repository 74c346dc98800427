#include "core/backend/gl/gl_ops.h"
#include "core/backend/gl/products.h"

namespace glassformer::gl {

namespace {

/// Each head's columns of [rows, H·D] memory: one outer pair, inner counts heads.
Matrices columns_of_heads(const Span& span, const Shape& shape) {
    return {span, shape[2] * shape[3], false, 0, shape[3]};
}

void head_result(Recorder& gl, const GlStep& s) {
    const Shape &z = s.inputs[0].shape, &y = s.output.shape;
    record_product(gl, "head_result", {z[0] * z[1], y[3], z[3], 1, z[2]}, columns_of_heads(s.inputs[0].span, z),
                   {s.inputs[1].span, y[3], false, 0, z[3] * y[3]}, columns_of_heads(s.output.span, y), false);
}

void head_result_backward(Recorder& gl, const GlStep& s) {
    const Shape &z = s.inputs[0].shape, &y = s.output_gradient.shape;
    const Matrices dy = columns_of_heads(s.output_gradient.span, y);
    const std::int64_t rows = z[0] * z[1], w_step = z[3] * y[3];
    if (const GlSlot& dz = s.gradients[0]; dz.span)
        record_product(gl, "head_result_backward", {rows, z[3], y[3], 1, z[2]}, dy,
                       Matrices{s.inputs[1].span, y[3], false, 0, w_step}.transposed(), columns_of_heads(dz.span, z),
                       dz.accumulate);
    if (const GlSlot& dw = s.gradients[1]; dw.span)
        record_product(gl, "head_result_backward", {z[3], y[3], rows, 1, z[2]},
                       columns_of_heads(s.inputs[0].span, z).transposed(), dy, {dw.span, y[3], false, 0, w_step},
                       dw.accumulate);
}

}  // namespace

extern const GlOp gl_head_result{"head_result", head_result, head_result_backward};

}  // namespace glassformer::gl
