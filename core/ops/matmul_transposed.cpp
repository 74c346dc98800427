#include "core/ops/kernel.h"
#include "core/ops/ops.h"

namespace glassformer::ops {

namespace {

using namespace kernel;

class MatmulTransposed final : public Op {
public:
    std::string_view name() const override { return "matmul_transposed"; }

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
        const ConstMatrixMap w(a.inputs[1].data, v, d);
        for_ranges(a.pool, rows, product_rows(rows), [&](std::int64_t begin, std::int64_t end) {
            MatrixMap(a.output.data + begin * v, end - begin, v).noalias() =
                ConstMatrixMap(a.inputs[0].data + begin * d, end - begin, d) * w.transpose();
        });
    }

    // dx = dy·W,  dW = dyᵀ·x
    void backward(const BackwardArgs& a) const override {
        const std::int64_t d = a.inputs[1].shape[1], v = a.inputs[1].shape[0],
                           rows = a.output_gradient.shape.elements() / v;
        const GradientSlot dx = a.input_gradients[0], dw = a.input_gradients[1];
        const std::int64_t row_step = product_rows(rows), w_step = std::max<std::int64_t>(64, ceil_div(v, 8));
        const std::int64_t dx_pieces = dx.data ? ceil_div(rows, row_step) : 0,
                           dw_pieces = dw.data ? ceil_div(v, w_step) : 0;
        const ConstMatrixMap w(a.inputs[1].data, v, d), x(a.inputs[0].data, rows, d),
            dy(a.output_gradient.data, rows, v);
        a.pool.run(dx_pieces + dw_pieces, [&](std::int64_t piece) {
            if (piece < dx_pieces) {
                const std::int64_t begin = piece * row_step, count = std::min(row_step, rows - begin);
                store_product(MatrixMap(dx.data + begin * d, count, d), dy.middleRows(begin, count) * w, dx.accumulate);
            } else {
                const std::int64_t begin = (piece - dx_pieces) * w_step, count = std::min(w_step, v - begin);
                store_product(MatrixMap(dw.data + begin * d, count, d), dy.middleCols(begin, count).transpose() * x,
                              dw.accumulate);
            }
        });
    }

    OpExplanation explain(const ExplainArgs& a) const override {
        const std::int64_t d = a.inputs[1].shape[1], v = a.inputs[1].shape[0], row = a.offset / v,
                           column = a.offset % v;
        OpExplanation e{"Σ x·W", "", "x · W, feature by feature", {}, 0.0};
        for (std::int64_t i = 0; i < d; ++i) {
            const double x = a.inputs[0].data[row * d + i], w = a.inputs[1].data[column * d + i];
            e.terms.push_back({{{0, row * d + i, x}, {1, column * d + i, w}}, x * w});
            e.value += x * w;
        }
        e.numbers = "the sum of " + std::to_string(d) + " products";
        return e;
    }
};

}  // namespace

OpPtr matmul_transposed() { return std::make_shared<MatmulTransposed>(); }

}  // namespace glassformer::ops
