#include "core/ops/kernel.h"
#include "core/ops/ops.h"

namespace glassformer::ops {

namespace {

using namespace kernel;

class Linear final : public Op {
public:
    std::string_view name() const override { return "linear"; }

    Shape infer_shape(std::span<const Shape> in) const override {
        if (in.size() != 3 || in[0].rank() < 1 || in[1].rank() != 2 || in[2].rank() != 1)
            shape_error(*this, "expected x [.., D_in], W [D_in, D_out], b [D_out]", in);
        if (in[0].back() != in[1][0] || in[1][1] != in[2][0])
            shape_error(*this, "the widths of x, W and b do not fit", in);
        std::vector<std::int64_t> sizes(in[0].sizes().begin(), in[0].sizes().end());
        sizes.back() = in[1][1];
        return Shape(sizes);
    }

    // y = x·W + b
    void forward(const ForwardArgs& a) const override {
        const std::int64_t d_in = a.inputs[1].shape[0], d_out = a.inputs[1].shape[1],
                           rows = a.output.shape.elements() / d_out;
        const ConstMatrixMap w(a.inputs[1].data, d_in, d_out);
        const Eigen::Map<const Eigen::RowVectorXf> b(a.inputs[2].data, d_out);
        for_ranges(a.pool, rows, product_rows(rows), [&](std::int64_t begin, std::int64_t end) {
            MatrixMap y(a.output.data + begin * d_out, end - begin, d_out);
            y.rowwise() = b;
            y.noalias() += ConstMatrixMap(a.inputs[0].data + begin * d_in, end - begin, d_in) * w;
        });
    }

    // dx = dy·Wᵀ,  dW = xᵀ·dy,  db = Σ_rows dy: one parallel region, in which every piece owns its outputs.
    void backward(const BackwardArgs& a) const override {
        const std::int64_t d_in = a.inputs[1].shape[0], d_out = a.inputs[1].shape[1],
                           rows = a.output_gradient.shape.elements() / d_out;
        const GradientSlot dx = a.input_gradients[0], dw = a.input_gradients[1], db = a.input_gradients[2];
        const std::int64_t row_step = product_rows(rows), w_step = std::max<std::int64_t>(32, ceil_div(d_in, 8));
        const std::int64_t dx_pieces = dx.data ? ceil_div(rows, row_step) : 0,
                           dw_pieces = dw.data ? ceil_div(d_in, w_step) : 0;
        const ConstMatrixMap w(a.inputs[1].data, d_in, d_out), x(a.inputs[0].data, rows, d_in),
            dy(a.output_gradient.data, rows, d_out);
        a.pool.run(dx_pieces + dw_pieces + (db.data ? 1 : 0), [&](std::int64_t piece) {
            if (piece < dx_pieces) {
                const std::int64_t begin = piece * row_step, count = std::min(row_step, rows - begin);
                store_product(MatrixMap(dx.data + begin * d_in, count, d_in),
                              dy.middleRows(begin, count) * w.transpose(), dx.accumulate);
            } else if (piece < dx_pieces + dw_pieces) {
                const std::int64_t begin = (piece - dx_pieces) * w_step, count = std::min(w_step, d_in - begin);
                store_product(MatrixMap(dw.data + begin * d_out, count, d_out),
                              x.middleCols(begin, count).transpose() * dy, dw.accumulate);
            } else {
                Eigen::Map<Eigen::RowVectorXf> sum(db.data, d_out);
                if (!db.accumulate) sum.setZero();
                for (std::int64_t r = 0; r < rows; ++r) sum += dy.row(r);
            }
        });
    }

    OpExplanation explain(const ExplainArgs& a) const override {
        const std::int64_t d_in = a.inputs[1].shape[0], d_out = a.inputs[1].shape[1], row = a.offset / d_out,
                           column = a.offset % d_out;
        OpExplanation e{"Σ x·W + b", "", "x · W, feature by feature; then the bias", {}, 0.0};
        for (std::int64_t i = 0; i < d_in; ++i) {
            const double x = a.inputs[0].data[row * d_in + i], w = a.inputs[1].data[i * d_out + column];
            e.terms.push_back({{{0, row * d_in + i, x}, {1, i * d_out + column, w}}, x * w});
            e.value += x * w;
        }
        const double b = a.inputs[2].data[column];
        e.numbers = format_number(e.value) + " + " + format_number(b);
        e.terms.push_back({{{2, column, b}}, b});
        e.value += b;
        return e;
    }

    bool backward_reads_input(int input) const override { return input != 2; }
};

}  // namespace

OpPtr linear() { return std::make_shared<Linear>(); }

}  // namespace glassformer::ops
