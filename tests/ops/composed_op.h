#pragma once

#include <functional>
#include <vector>

#include "tests/ops/op_harness.h"

namespace glassformer::testing {

/// Several ops of one x as one op, so that the gradient through all of them is checked as that of the whole.
class ComposedOp final : public Op {
public:
    using Forward = std::function<Tensor(const Tensor& x)>;
    using Backward = std::function<std::vector<float>(const Tensor& x, const Tensor& dy)>;

    ComposedOp(Forward forward, Backward backward) : forward_(std::move(forward)), backward_(std::move(backward)) {}

    std::string_view name() const override { return "composed"; }
    Shape infer_shape(std::span<const Shape> in) const override { return in[0]; }

    void forward(const ForwardArgs& a) const override {
        const Tensor y = forward_(copy(a.inputs[0]));
        std::ranges::copy(y.values(), a.output.data);
    }

    void backward(const BackwardArgs& a) const override {
        const GradientSlot dx = a.input_gradients[0];
        const std::vector<float> gradient = backward_(copy(a.inputs[0]), copy(a.output_gradient));
        for (std::size_t i = 0; i < gradient.size(); ++i)
            dx.data[i] = (dx.accumulate ? dx.data[i] : 0.0f) + gradient[i];
    }

    OpExplanation explain(const ExplainArgs&) const override { return {}; }

private:
    static Tensor copy(const ConstView& view) {
        return Tensor(view.shape, std::vector<float>(view.data, view.data + view.shape.elements()));
    }

    Forward forward_;
    Backward backward_;
};

}  // namespace glassformer::testing
