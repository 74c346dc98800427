#include "core/base/mark_text.h"
#include "core/ops/kernel.h"
#include "core/ops/ops.h"
#include "core/ops/product_pieces.h"

namespace glassformer::ops {

namespace {

using namespace kernel;

class Linear final : public Op {
public:
    std::string_view name() const override { return "linear"; }
    OpTraits traits() const override { return {.role = OpRole::linear, .title = N_("weighted sum")}; }

    Shape infer_shape(std::span<const Shape> in) const override {
        if (in.size() < 2 || in.size() > 3 || in[0].rank() < 1 || in[1].rank() != 2)
            shape_error(*this, "expected x [.., D_in], W [D_in, D_out] and, with a bias, b [D_out]", in);
        if (in[0].back() != in[1][0]) shape_error(*this, "the widths of x and W do not match", in);
        if (in.size() == 3 && in[2] != Shape{in[1][1]}) shape_error(*this, "the widths of W and b do not match", in);
        std::vector<std::int64_t> sizes(in[0].sizes().begin(), in[0].sizes().end());
        sizes.back() = in[1][1];
        return Shape(sizes);
    }

    // y = x·W + b, or x·W without a bias
    void forward(const ForwardArgs& a) const override {
        const std::int64_t d_in = a.inputs[1].shape[0], d_out = a.inputs[1].shape[1],
                           rows = a.output.shape.elements() / d_out;
        const Operand x = matrix(a.inputs[0].data, rows, d_in);
        const Target y{a.output.data, d_out, false, a.inputs.size() == 3 ? a.inputs[2].data : nullptr};
        if (const TypedMatrix* w = a.inputs[1].stored)
            multiply_all(a.pool, y, x, *w);
        else
            multiply_all(a.pool, y, x, matrix(a.inputs[1].data, d_in, d_out));
    }

    // dx = dy·Wᵀ,  dW = xᵀ·dy,  db = Σ_rows dy: one parallel region in which every piece owns its outputs.
    void backward(const BackwardArgs& a) const override {
        const std::int64_t d_in = a.inputs[1].shape[0], d_out = a.inputs[1].shape[1],
                           rows = a.output_gradient.shape.elements() / d_out;
        const GradientSlot dx = a.input_gradients[0], dw = a.input_gradients[1],
                           db = a.inputs.size() == 3 ? a.input_gradients[2] : GradientSlot{};
        const Operand x = matrix(a.inputs[0].data, rows, d_in), w = matrix(a.inputs[1].data, d_in, d_out),
                      dy = matrix(a.output_gradient.data, rows, d_out);
        const Pieces dx_pieces(dx.data ? rows : 0, product_rows(rows)), db_pieces(db.data ? d_out : 0, sum_columns);
        const DeepPieces dw_pieces(dw.data ? d_in : 0, d_out);
        const PackingTicket w_packing = new_packing(), dy_packing = new_packing(dw_pieces.columns.count);
        a.pool.run(dx_pieces.count + dw_pieces.count + db_pieces.count, [&](std::int64_t piece) {
            if (piece < dx_pieces.count) {
                const auto [begin, count] = dx_pieces[piece];
                multiply({dx.data + begin * d_in, d_in, dx.accumulate}, dy.middle_rows(begin, count), w.transposed(),
                         w_packing);
            } else if (piece < dx_pieces.count + dw_pieces.count) {
                const std::int64_t i = piece - dx_pieces.count;
                multiply_deep({dw.data, d_out, dw.accumulate}, x.transposed(), dy, dw_pieces, i, dy_packing);
            } else {
                const auto [begin, count] = db_pieces[piece - dx_pieces.count - dw_pieces.count];
                sum_rows(a.output_gradient.data + begin, rows, d_out, count, db.data + begin, db.accumulate);
            }
        });
    }

    bool by_slices(const Shape& output) const override { return output.rank() >= 3; }
    Reads reads(int input) const override { return input == 0 ? Reads::slice : Reads::all; }

    bool propagates_nonfinite(int /*input*/) const override { return true; }

    OpExplanation explain(const ExplainArgs& a) const override {
        const std::int64_t d_in = a.inputs[1].shape[0], d_out = a.inputs[1].shape[1], column = a.offset % d_out;
        const Factor x{0, a.offset / d_out * d_in}, w{1, column, d_out};
        if (a.inputs.size() == 2) return explain_products(a, "Σ x·W", N_("x · W, feature by feature"), d_in, x, w);
        OpExplanation e = explain_products(a, "Σ x·W + b", N_("x · W, feature by feature; then the bias"), d_in, x, w);
        const double b = a.inputs[2].data[column];
        e.numbers = format_number(e.value) + " + " + format_number(b);
        e.terms.push_back({{{2, column, b}}, b});
        e.value += b;
        return e;
    }

    bool backward_reads_input(int input) const override { return input != 2; }
    bool reads_stored(int input) const override { return input == 1; }
};

class MatmulTransposed final : public Op {
public:
    std::string_view name() const override { return "matmul_transposed"; }
    OpTraits traits() const override { return {.role = OpRole::unembedding, .title = N_("unembed")}; }

    Shape infer_shape(std::span<const Shape> in) const override {
        if (in.size() != 2 || in[0].rank() < 1 || in[1].rank() != 2 || in[0].back() != in[1][1])
            shape_error(*this, "expected x [.., D] and W [V, D]", in);
        std::vector<std::int64_t> sizes(in[0].sizes().begin(), in[0].sizes().end());
        sizes.back() = in[1][0];
        return Shape(sizes);
    }

    // y = x·Wᵀ
    void forward(const ForwardArgs& a) const override {
        const std::int64_t d = a.inputs[1].shape[1], v = a.inputs[1].shape[0], rows = a.output.shape.elements() / v;
        const Operand x = matrix(a.inputs[0].data, rows, d);
        if (const TypedMatrix* w = a.inputs[1].stored)
            multiply_all(a.pool, {a.output.data, v}, x, w->transposed());
        else
            multiply_all(a.pool, {a.output.data, v}, x, matrix(a.inputs[1].data, v, d).transposed());
    }

    // dx = dy·W,  dW = dyᵀ·x
    void backward(const BackwardArgs& a) const override {
        const std::int64_t d = a.inputs[1].shape[1], v = a.inputs[1].shape[0],
                           rows = a.output_gradient.shape.elements() / v;
        const GradientSlot dx = a.input_gradients[0], dw = a.input_gradients[1];
        const Operand x = matrix(a.inputs[0].data, rows, d), w = matrix(a.inputs[1].data, v, d),
                      dy = matrix(a.output_gradient.data, rows, v);
        const Pieces dx_pieces(dx.data ? rows : 0, product_rows(rows));
        const DeepPieces dw_pieces(dw.data ? v : 0, d);
        const PackingTicket w_packing = new_packing(), x_packing = new_packing(dw_pieces.columns.count);
        a.pool.run(dx_pieces.count + dw_pieces.count, [&](std::int64_t piece) {
            if (piece < dx_pieces.count) {
                const auto [begin, count] = dx_pieces[piece];
                multiply({dx.data + begin * d, d, dx.accumulate}, dy.middle_rows(begin, count), w, w_packing);
            } else {
                multiply_deep({dw.data, d, dw.accumulate}, dy.transposed(), x, dw_pieces, piece - dx_pieces.count,
                              x_packing);
            }
        });
    }

    bool by_slices(const Shape& output) const override { return output.rank() >= 3; }
    Reads reads(int input) const override { return input == 0 ? Reads::slice : Reads::all; }

    bool propagates_nonfinite(int /*input*/) const override { return true; }
    bool reads_stored(int input) const override { return input == 1; }

    OpExplanation explain(const ExplainArgs& a) const override {
        const std::int64_t d = a.inputs[1].shape[1], v = a.inputs[1].shape[0];
        return explain_products(a, "Σ x·W", N_("x · W, feature by feature"), d, {0, a.offset / v * d},
                                {1, a.offset % v * d});
    }
};

}  // namespace

OpPtr linear() { return std::make_shared<Linear>(); }
OpPtr matmul_transposed() { return std::make_shared<MatmulTransposed>(); }

}  // namespace glassformer::ops
