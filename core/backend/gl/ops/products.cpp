#include "core/backend/gl/ops/products.h"

#include "core/backend/gl/gl_ops.h"
#include "core/backend/gl/parts.h"

namespace glassformer::gl {

namespace {

constexpr std::int64_t register_tile = 32;  // results of a work group along each side, without shared memory

std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

/// Whether lines of `cells` cells can be read by four.
bool by_four(const Matrices& m, std::int64_t cells) {
    return (cells | m.stride | m.span.offset | m.outer_step | m.inner_step) % 4 == 0 && cells > 0;
}

/// The side of the tiles in shared memory, 0 where the matrices are too small for them to pay. The large ones pay where
/// there are enough of them to keep a graphics card busy.
int shared_tile(const Tuning& tuning, const ProductShape& s) {
    constexpr std::int64_t smallest = 32, many = 128;
    if (tuning.product_tile >= 0) return tuning.product_tile;
    if (s.rows < smallest || s.columns < smallest || s.depth < smallest) return 0;
    return ceil_div(s.rows, 128) * ceil_div(s.columns, 128) * s.outer * s.inner >= many ? tuning.tile_many
                                                                                        : tuning.tile_few;
}

void record_whole(Recorder& gl, const char* shader, const ProductShape& s, const Matrices& a, const Matrices& b,
                  const Matrices& c, bool accumulate, const Span& bias) {
    const int tile = shared_tile(gl.tuning(), s);
    Dispatch d = gl.dispatch(shader);
    d.define("TILE", tile);
    d.define("A_TURNED", a.turned).define("B_TURNED", b.turned).define("BIAS", bias ? 1 : 0);
    d.define("A_QUADS", by_four(a, a.turned ? s.rows : s.depth));
    d.define("B_QUADS", by_four(b, b.turned ? s.depth : s.columns));
    d.in("a", a.span).in("b", b.span).add_to("c", c.span, accumulate);
    if (bias)
        d.in("bias", bias);
    else
        d.set("bias_first", 0);
    d.set("rows", s.rows).set("columns", s.columns).set("depth", s.depth);
    d.set("a_stride", a.stride).set("b_stride", b.stride).set("c_stride", c.stride);
    d.set("inner_count", s.inner);
    d.set("a_outer", a.outer_step).set("a_inner", a.inner_step);
    d.set("b_outer", b.outer_step).set("b_inner", b.inner_step);
    d.set("c_outer", c.outer_step).set("c_inner", c.inner_step);
    const std::int64_t side = tile > 0 ? tile : register_tile;
    d.groups(ceil_div(s.columns, side), ceil_div(s.rows, side), s.outer * s.inner);
}

/// Lines first … first + count − 1 of one matrix.
Matrices lines_of(const Matrices& m, std::int64_t first, std::int64_t count) {
    const std::int64_t begin = first * m.stride;
    return {m.span.part(begin, std::min(count * m.stride, m.span.cells - begin)), m.stride, m.turned};
}
/// Cells `first` … of each line of one matrix.
Matrices cells_of(const Matrices& m, std::int64_t first) {
    return {m.span.part(first, m.span.cells - first), m.stride, m.turned};
}
/// Along rows or columns of the matrix as it is multiplied, whatever it lies like.
Matrices rows_of(const Matrices& m, std::int64_t first, std::int64_t count) {
    return m.turned ? cells_of(m, first) : lines_of(m, first, count);
}
Matrices columns_of(const Matrices& m, std::int64_t first, std::int64_t count) {
    return m.turned ? lines_of(m, first, count) : cells_of(m, first);
}

/// A product of one pair of matrices that are too large to be seen at once, in parts along each side.
void record_parts(Recorder& gl, const char* shader, const ProductShape& s, const Matrices& a, const Matrices& b,
                  const Matrices& c, bool accumulate, const Span& bias) {
    constexpr std::int64_t multiple = 16;  // keeps lines at multiples of four cells where they were
    std::int64_t rows = lines_at_once(gl, s.rows, c.stride, multiple), columns = s.columns, depth = s.depth;
    (a.turned ? depth : rows) =
        std::min(a.turned ? depth : rows, lines_at_once(gl, a.turned ? s.depth : s.rows, a.stride, multiple));
    (b.turned ? columns : depth) =
        std::min(b.turned ? columns : depth, lines_at_once(gl, b.turned ? s.columns : s.depth, b.stride, multiple));
    each_part(s.rows, rows, [&](std::int64_t row, std::int64_t row_count) {
        each_part(s.columns, columns, [&](std::int64_t column, std::int64_t column_count) {
            const Matrices to = cells_of(lines_of(c, row, row_count), column);
            each_part(s.depth, depth, [&](std::int64_t k, std::int64_t k_count) {
                record_whole(gl, shader, {row_count, column_count, k_count},
                             columns_of(rows_of(a, row, row_count), k, k_count),
                             columns_of(rows_of(b, k, k_count), column, column_count), to, accumulate || k > 0,
                             bias && k == 0 ? bias.part(column, column_count) : Span{});
            });
        });
    });
}

}  // namespace

void record_product(Recorder& gl, const char* shader, const ProductShape& s, const Matrices& a, const Matrices& b,
                    const Matrices& c, bool accumulate, const Span& bias) {
    const std::int64_t most = gl.device().most_cells();
    const bool large = a.span.cells > most || b.span.cells > most || c.span.cells > most;
    if (large && s.outer * s.inner == 1)
        record_parts(gl, shader, s, a, b, c, accumulate, bias);
    else
        record_whole(gl, shader, s, a, b, c, accumulate, bias);
}

namespace record {

namespace {

/// One matrix [lines, cells] of row-major memory.
Matrices whole(const Span& span, std::int64_t cells) { return {span, cells}; }

struct LinearSizes {
    std::int64_t rows, d_in, d_out;
    explicit LinearSizes(const GlStep& s)
        : rows(s.output.shape.elements() / s.inputs[1].shape[1]),
          d_in(s.inputs[1].shape[0]),
          d_out(s.inputs[1].shape[1]) {}
};

}  // namespace

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

namespace {

/// Each head's rows in [B, P, H, D] memory: outer counts sentences, inner heads.
Matrices heads_of(const Span& span, const Shape& shape) {
    return {span, shape[2] * shape[3], false, shape[1] * shape[2] * shape[3], shape[3]};
}

/// Each head's table in [B, H, P_q, P_k] memory.
Matrices tables_of(const Span& span, const Shape& shape) {
    return {span, shape[3], false, shape[1] * shape[2] * shape[3], shape[2] * shape[3]};
}

}  // namespace

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

namespace {

/// Each head's columns of [rows, H·D] memory: one outer pair, inner counts heads.
Matrices columns_of_heads(const Span& span, const Shape& shape) {
    return {span, shape[2] * shape[3], false, 0, shape[3]};
}

}  // namespace

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

}  // namespace record

}  // namespace glassformer::gl
