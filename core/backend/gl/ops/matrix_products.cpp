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

void attention_values(Recorder& gl, const GlStep& s) {
    const Shape &p = s.inputs[0].shape, &v = s.inputs[1].shape;
    record_product(gl, "attention_values", {p[2], v[3], p[3], p[0], p[1]}, tables_of(s.inputs[0].span, p),
                   heads_of(s.inputs[1].span, v), heads_of(s.output.span, s.output.shape), false);
}

void attention_values_backward(Recorder& gl, const GlStep& s) {
    const Shape &p = s.inputs[0].shape, &v = s.inputs[1].shape;
    const Matrices dz = heads_of(s.output_gradient.span, s.output_gradient.shape);
    if (const GlSlot& dp = s.gradients[0]; dp.span)
        record_product(gl, "attention_values_backward", {p[2], p[3], v[3], p[0], p[1]}, dz,
                       heads_of(s.inputs[1].span, v).transposed(), tables_of(dp.span, p), dp.accumulate);
    if (const GlSlot& dv = s.gradients[1]; dv.span)
        record_product(gl, "attention_values_backward", {p[3], v[3], p[2], p[0], p[1]},
                       tables_of(s.inputs[0].span, p).transposed(), dz, heads_of(dv.span, v), dv.accumulate);
}

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

extern const GlOp gl_linear{"linear", linear, linear_backward};
extern const GlOp gl_matmul_transposed{"matmul_transposed", matmul_transposed, matmul_transposed_backward};
extern const GlOp gl_attention_scores{"attention_scores", attention_scores, attention_scores_backward};
extern const GlOp gl_attention_values{"attention_values", attention_values, attention_values_backward};
extern const GlOp gl_head_result{"head_result", head_result, head_result_backward};

}  // namespace glassformer::gl
