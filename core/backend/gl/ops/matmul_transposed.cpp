#include "core/backend/gl/gl_ops.h"
#include "core/backend/gl/products.h"

namespace glassformer::gl {

namespace {

void matmul_transposed(Recorder& gl, const GlStep& s) {
    const std::int64_t columns = s.inputs[1].shape[0], depth = s.inputs[1].shape[1],
                       rows = s.inputs[0].shape.elements() / depth;
    record_product(gl, "matmul_transposed", {rows, columns, depth}, whole(s.inputs[0].span, depth),
                   whole(s.inputs[1].span, depth).transposed(), whole(s.output.span, columns), false);
}

void matmul_transposed_backward(Recorder& gl, const GlStep& s) {
    const std::int64_t columns = s.inputs[1].shape[0], depth = s.inputs[1].shape[1],
                       rows = s.inputs[0].shape.elements() / depth;
    const Matrices dy = whole(s.output_gradient.span, columns);
    if (const GlSlot& dx = s.gradients[0]; dx.span)
        record_product(gl, "matmul_transposed_backward", {rows, depth, columns}, dy, whole(s.inputs[1].span, depth),
                       whole(dx.span, depth), dx.accumulate);
    if (const GlSlot& dw = s.gradients[1]; dw.span)
        record_product(gl, "matmul_transposed_backward", {columns, depth, rows}, dy.transposed(),
                       whole(s.inputs[0].span, depth), whole(dw.span, depth), dw.accumulate);
}

}  // namespace

extern const GlOp gl_matmul_transposed{"matmul_transposed", matmul_transposed, matmul_transposed_backward};

}  // namespace glassformer::gl
