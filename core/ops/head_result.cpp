#include "core/base/mark_text.h"
#include "core/ops/attention.h"
#include "core/ops/ops.h"

namespace glassformer::ops {

namespace {

using namespace kernel;

class HeadResult final : public Op {
public:
    std::string_view name() const override { return "head_result"; }
    OpTraits traits() const override { return {.role = OpRole::observer, .title = N_("what the head writes")}; }

    Shape infer_shape(std::span<const Shape> in) const override {
        if (in.size() != 2 || in[0].rank() != 4 || in[1].rank() != 2 || in[1][0] != in[0][2] * in[0][3])
            shape_error(*this, "expected z [B, P, H, D_h] and W_O [H·D_h, D]", in);
        return Shape{in[0][0], in[0][1], in[0][2], in[1][1]};
    }

    // result[.., h, :] = z[.., h, :]·W_O[h]
    void forward(const ForwardArgs& a) const override {
        const std::int64_t heads = a.output.shape[2], width = a.inputs[0].shape[3], d = a.output.shape[3],
                           rows = a.output.shape[0] * a.output.shape[1];
        for_ranges(a.pool, heads, 1, [&](std::int64_t h, std::int64_t) {
            multiply(head_target(a.output.data, heads, d, h, false), head_rows(a.inputs[0].data, rows, heads, width, h),
                     matrix(a.inputs[1].data + h * width * d, width, d));
        });
    }

    void backward(const BackwardArgs& a) const override {
        const std::int64_t heads = a.output_gradient.shape[2], width = a.inputs[0].shape[3],
                           d = a.output_gradient.shape[3];
        const std::int64_t rows = a.output_gradient.shape[0] * a.output_gradient.shape[1];
        const GradientSlot dz = a.input_gradients[0], dw = a.input_gradients[1];
        for_ranges(a.pool, heads, 1, [&](std::int64_t h, std::int64_t) {
            const Operand dy = head_rows(a.output_gradient.data, rows, heads, d, h);
            if (dz.data)
                multiply(head_target(dz.data, heads, width, h, dz.accumulate), dy,
                         matrix(a.inputs[1].data + h * width * d, width, d).transposed());
            if (dw.data)
                multiply({dw.data + h * width * d, d, dw.accumulate},
                         head_rows(a.inputs[0].data, rows, heads, width, h).transposed(), dy);
        });
    }

    bool by_slices(const Shape& output) const override { return output.rank() >= 3; }
    Reads reads(int input) const override { return input == 0 ? Reads::slice : Reads::all; }

    OpExplanation explain(const ExplainArgs& a) const override {
        const Index at = index_of(a.output_shape, a.offset);  // b, p, h, feature
        const std::int64_t heads = a.output_shape[2], width = a.inputs[0].shape[3], d = a.output_shape[3];
        return explain_products(a, "Σ z·W_O", N_("z · W_O, dimension by dimension"), width,
                                {0, ((at[0] * a.output_shape[1] + at[1]) * heads + at[2]) * width},
                                {1, at[2] * width * d + at[3], d});
    }
};

}  // namespace

OpPtr head_result() { return std::make_shared<HeadResult>(); }

}  // namespace glassformer::ops
