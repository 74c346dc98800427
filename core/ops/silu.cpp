#include <cmath>

#include "core/ops/elementary.h"
#include "core/ops/kernel.h"
#include "core/ops/ops.h"

namespace glassformer::ops {

namespace {

using namespace kernel;

class Silu final : public Op {
public:
    std::string_view name() const override { return "silu"; }

    Shape infer_shape(std::span<const Shape> in) const override {
        if (in.size() != 1) shape_error(*this, "expected one input", in);
        return in[0];
    }

    // y = x·σ(x)
    void forward(const ForwardArgs& a) const override {
        for_ranges(a.pool, a.output.shape.elements(), element_grain, [&](std::int64_t begin, std::int64_t end) {
            for_lanes(begin, end, [&](std::int64_t i, std::int64_t count) {
                const Floats x = load_floats(a.inputs[0].data + i, count);
                store_floats(a.output.data + i, x * sigmoid_of(x), count);
            });
        });
    }

    // dy/dx = s + x·s(1 − s),  s = σ(x)
    void backward(const BackwardArgs& a) const override {
        const GradientSlot dx = a.input_gradients[0];
        if (!dx.data) return;
        for_ranges(a.pool, a.output_gradient.shape.elements(), element_grain,
                   [&](std::int64_t begin, std::int64_t end) {
                       for_lanes(begin, end, [&](std::int64_t i, std::int64_t count) {
                           const Floats x = load_floats(a.inputs[0].data + i, count), s = sigmoid_of(x);
                           Floats d = load_floats(a.output_gradient.data + i, count) * (s + x * s * (1.0f - s));
                           if (dx.accumulate) d += load_floats(dx.data + i, count);
                           store_floats(dx.data + i, d, count);
                       });
                   });
    }

    OpExplanation explain(const ExplainArgs& a) const override {
        const double x = a.inputs[0].data[a.offset], divisor = 1.0 + std::exp(-x);
        OpExplanation e{
            "x / (1 + e^−x)", format_number(x) + " / " + format_number(divisor), "what goes in", {}, x / divisor};
        e.terms.push_back({{{0, a.offset, x}}, e.value});
        return e;
    }
};

}  // namespace

OpPtr silu() { return std::make_shared<Silu>(); }

}  // namespace glassformer::ops
