#include <cmath>

#include "core/base/mark_text.h"
#include "core/ops/elementary.h"
#include "core/ops/ops.h"
#include "core/ops/recurrent.h"

namespace glassformer::ops {

namespace {

using namespace kernel;

class RecurrentTanh final : public Op {
public:
    std::string_view name() const override { return "recurrent_tanh"; }
    OpTraits traits() const override { return {.role = OpRole::recurrent_state, .title = N_("the next state")}; }

    Shape infer_shape(std::span<const Shape> in) const override {
        if (in.size() != 3 || in[0].rank() != 3 || in[0][2] < 1 || in[1] != Shape{in[0][2], in[0][2]} ||
            in[2] != Shape{in[0][2]})
            shape_error(*this, "expected x [B, P, D], W_hh [D, D] and b [D]", in);
        return in[0];
    }

    // h_p = tanh(x_p + h_{p−1}·W + b)
    void forward(const ForwardArgs& a) const override {
        const std::int64_t width = a.output.shape[2];
        const Operand w = matrix(a.inputs[1].data, width, width);
        const PackingTicket packing = new_packing();
        for_sentences(a.pool, a.output.shape, [&](const Sentences& s) {
            for (std::int64_t p = 0; p < s.positions; ++p) {
                for (std::int64_t i = 0; i < s.count; ++i) {
                    const std::int64_t at = s.row(i, p) * width;
                    ArrayMap(a.output.data + at, width) =
                        ConstArrayMap(a.inputs[0].data + at, width) + ConstArrayMap(a.inputs[2].data, width);
                }
                if (p > 0)
                    multiply(s.added_at(p, a.output.data, width), s.rows_at(p - 1, a.output.data, width), w, packing);
                for (std::int64_t i = 0; i < s.count; ++i) {
                    float* h = a.output.data + s.row(i, p) * width;
                    for_lanes(0, width, [&](std::int64_t c, std::int64_t count) {
                        store_floats(h + c, tanh_of(load_floats(h + c, count)), count);
                    });
                }
            }
        });
    }

    // Backpropagation through time, with a = x + h·W + b, from the last position to the first:
    //   da_p = (dh_p + da_{p+1}·Wᵀ) ∘ (1 − h_p²),  dx = da,  dW = Σ_p h_{p−1}ᵀ·da_p,  db = Σ_p da_p
    void backward(const BackwardArgs& a) const override {
        const GradientSlot dx = a.input_gradients[0], dw = a.input_gradients[1], db = a.input_gradients[2];
        const std::int64_t width = a.output.shape[2], cells = a.output.shape.elements();
        float *da = scratch(2 * cells), *previous = da + cells;
        const Operand w = matrix(a.inputs[1].data, width, width).transposed();
        const PackingTicket packing = new_packing();
        for_sentences(a.pool, a.output.shape, [&](const Sentences& s) {
            if (dw.data) copy_previous(s, a.output.data, width, previous);
            for (std::int64_t p = s.positions - 1; p >= 0; --p) {
                for (std::int64_t i = 0; i < s.count; ++i)
                    std::copy_n(a.output_gradient.data + s.row(i, p) * width, width, da + s.row(i, p) * width);
                if (p + 1 < s.positions) multiply(s.added_at(p, da, width), s.rows_at(p + 1, da, width), w, packing);
                for (std::int64_t i = 0; i < s.count; ++i) {
                    const std::int64_t at = s.row(i, p) * width;
                    ArrayMap d(da + at, width);
                    d *= 1.0f - ConstArrayMap(a.output.data + at, width).square();
                    if (dx.data) store(ArrayMap(dx.data + at, width), d, dx.accumulate);
                }
            }
        });
        const std::int64_t rows = cells / width;
        recurrent_weight_gradients(a.pool, matrix(previous, rows, width), matrix(da, rows, width), dw, db);
    }

    OpExplanation explain(const ExplainArgs& a) const override {
        const std::int64_t width = a.output_shape[2], feature = a.offset % width,
                           p = a.offset / width % a.output_shape[1];
        OpExplanation e{"tanh(x + Σ h·W + b)",
                        "",
                        N_("x; then h · W, feature by feature of the state before; then the bias"),
                        {},
                        0.0,
                        {.join = TermJoin::product, .inside = N_("inside tanh")}};
        const double x = a.inputs[0].data[a.offset], b = a.inputs[2].data[feature];
        e.terms.push_back({{{0, a.offset, x}}, x});
        double before = 0.0;
        for (std::int64_t i = 0; i < width && p > 0; ++i) {
            const std::int64_t cell = a.offset - width - feature + i;
            const double h = a.output.data[cell], w = a.inputs[1].data[i * width + feature];
            e.terms.push_back({{{OperandCell::own_output, cell, h}, {1, i * width + feature, w}}, h * w});
            before += h * w;
        }
        e.terms.push_back({{{2, feature, b}}, b});
        e.value = std::tanh(x + before + b);
        e.numbers = "tanh(" + format_number(x) + " + " + format_number(before) + " + " + format_number(b) + ")";
        return e;
    }

    bool backward_reads_input(int input) const override { return input == 1; }
    bool backward_reads_output() const override { return true; }
};

}  // namespace

OpPtr recurrent_tanh() { return std::make_shared<RecurrentTanh>(); }

}  // namespace glassformer::ops
