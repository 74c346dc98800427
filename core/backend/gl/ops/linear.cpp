#include "core/backend/gl/gl_ops.h"
#include "core/backend/gl/products.h"

namespace glassformer::gl {

namespace {

struct LinearSizes {
    std::int64_t rows, d_in, d_out;
    explicit LinearSizes(const GlStep& s)
        : rows(s.output.shape.elements() / s.inputs[1].shape[1]),
          d_in(s.inputs[1].shape[0]),
          d_out(s.inputs[1].shape[1]) {}
};

void linear(Recorder& gl, const GlStep& s) {
    const LinearSizes n(s);
    record_product(gl, "linear", {n.rows, n.d_out, n.d_in}, whole(s.inputs[0].span, n.d_in),
                   whole(s.inputs[1].span, n.d_out), whole(s.output.span, n.d_out), false,
                   s.inputs.size() == 3 ? s.inputs[2].span : Span{});
}

void linear_backward(Recorder& gl, const GlStep& s) {
    const LinearSizes n(s);
    const Matrices dy = whole(s.output_gradient.span, n.d_out);
    if (const GlSlot& dx = s.gradients[0]; dx.span)
        record_product(gl, "linear_backward", {n.rows, n.d_in, n.d_out}, dy,
                       whole(s.inputs[1].span, n.d_out).transposed(), whole(dx.span, n.d_in), dx.accumulate);
    if (const GlSlot& dw = s.gradients[1]; dw.span)
        record_product(gl, "linear_backward", {n.d_in, n.d_out, n.rows}, whole(s.inputs[0].span, n.d_in).transposed(),
                       dy, whole(dw.span, n.d_out), dw.accumulate);
    if (s.gradients.size() == 3 && s.gradients[2].span)
        record_column_sums(gl, s.output_gradient.span, n.rows, n.d_out, s.gradients[2]);
}

}  // namespace

extern const GlOp gl_linear{"linear", linear, linear_backward};

}  // namespace glassformer::gl
