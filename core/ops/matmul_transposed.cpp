#include "core/base/mark_text.h"
#include "core/ops/kernel.h"
#include "core/ops/ops.h"
#include "core/ops/product_pieces.h"

namespace glassformer::ops {

namespace {

using namespace kernel;

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

OpPtr matmul_transposed() { return std::make_shared<MatmulTransposed>(); }

}  // namespace glassformer::ops
