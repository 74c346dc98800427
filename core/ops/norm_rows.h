#pragma once

// Shared code of the row-wise norms: [.., D] memory as rows of D features, each with statistics [..]. LayerNorm is
// centred (it subtracts the mean first), RMSNorm is not; otherwise the formula is the same.

#include <cmath>

#include "core/base/mark_text.h"
#include "core/ops/kernel.h"
#include "core/ops/op.h"

namespace glassformer::kernel {

/// The shape [..] of [.., D].
inline Shape leading(const Shape& shape) { return Shape(shape.sizes().first(shape.sizes().size() - 1)); }

/// Calls body(row) for each row.
template <class Body>
void for_rows(ThreadPool& pool, std::int64_t rows, std::int64_t width, const Body& body) {
    for_each_in(pool, rows, row_grain(4 * width), body);
}

/// √(Σ x² / D + ε), of x − mean if centred. Its gradient reaches x through NormNormalize, which knows it, so none flows
/// here.
template <bool centred>
class NormScale : public OpWithoutGradient {
public:
    std::vector<OpAttribute> attributes() const override { return {{"epsilon", static_cast<double>(epsilon_)}}; }

    Shape infer_shape(std::span<const Shape> in) const override {
        if constexpr (centred) {
            if (in.size() != 2 || in[0].rank() < 1 || leading(in[0]) != in[1])
                shape_error(*this, "expected x [.., D] and mean [..]", in);
        } else if (in.size() != 1 || in[0].rank() < 1 || in[0].back() < 1) {
            shape_error(*this, "expected x [.., D]", in);
        }
        return leading(in[0]);
    }

    void forward(const ForwardArgs& a) const override {
        const std::int64_t width = a.inputs[0].shape.back();
        for_rows(a.pool, a.output.shape.elements(), width, [&](std::int64_t r) {
            const ConstArrayMap x(a.inputs[0].data + r * width, width);
            if constexpr (centred)
                a.output.data[r] = std::sqrt((x - a.inputs[1].data[r]).square().mean() + epsilon_);
            else
                a.output.data[r] = std::sqrt(x.square().mean() + epsilon_);
        });
    }

    bool by_slices(const Shape& output) const override { return output.rank() >= 2; }
    Reads reads(int /*input*/) const override { return Reads::slice; }
    bool propagates_nonfinite(int /*input*/) const override { return true; }

protected:
    explicit NormScale(float epsilon) : epsilon_(epsilon) {}

    float epsilon_;
};

/// x / scale, of x − mean if centred. Inputs: x, the mean if centred, scale.
template <bool centred>
class NormNormalize : public Op {
    static constexpr int scale_input = centred ? 2 : 1;

public:
    Shape infer_shape(std::span<const Shape> in) const override {
        if (in.size() != scale_input + 1 || in[0].rank() < 1 || leading(in[0]) != in[1] || in[1] != in.back())
            shape_error(
                *this,
                centred ? N_("expected x [.., D], mean [..] and scale [..]") : N_("expected x [.., D] and scale [..]"),
                in);
        return in[0];
    }

    void forward(const ForwardArgs& a) const override {
        const std::int64_t width = a.output.shape.back();
        for_rows(a.pool, a.output.shape.elements() / width, width, [&](std::int64_t r) {
            const ConstArrayMap x(a.inputs[0].data + r * width, width);
            ArrayMap y(a.output.data + r * width, width);
            const float factor = 1.0f / a.inputs[scale_input].data[r];
            if constexpr (centred)
                y = (x - a.inputs[1].data[r]) * factor;
            else
                y = x * factor;
        });
    }

    // With x̂ = (x − μ)/s and both statistics functions of x:  dx = (dx̂ − mean(dx̂) − x̂·mean(dx̂∘x̂)) / s. The second
    // term is absent if no mean is subtracted.
    void backward(const BackwardArgs& a) const override {
        const GradientSlot dx = a.input_gradients[0];
        if (!dx.data) return;
        const std::int64_t width = a.output.shape.back();
        for_rows(a.pool, a.output.shape.elements() / width, width, [&](std::int64_t r) {
            const ConstArrayMap normalized(a.output.data + r * width, width),
                dy(a.output_gradient.data + r * width, width);
            ArrayMap out(dx.data + r * width, width);
            const float inner = (dy * normalized).mean(), factor = 1.0f / a.inputs[scale_input].data[r];
            if constexpr (centred) {
                const float mean = dy.mean();
                store(out, (dy - mean - normalized * inner) * factor, dx.accumulate);
            } else {
                store(out, (dy - normalized * inner) * factor, dx.accumulate);
            }
        });
    }

    bool in_place(int input) const override { return input == 0; }
    bool by_slices(const Shape& output) const override { return output.rank() >= 3; }
    Reads reads(int /*input*/) const override { return Reads::slice; }
    bool propagates_nonfinite(int input) const override { return input != scale_input; }
    bool has_gradient(int input) const override { return input == 0; }
    bool backward_reads_input(int input) const override { return input == scale_input; }
    bool backward_reads_output() const override { return true; }
};

}  // namespace glassformer::kernel
