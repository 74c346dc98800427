#include <cmath>

#include "core/base/mark_text.h"
#include "core/ops/activation.h"
#include "core/ops/ops.h"

namespace glassformer::ops {

namespace {

using namespace kernel;

class Silu final : public Op {
public:
    std::string_view name() const override { return "silu"; }
    OpTraits traits() const override {
        return {.role = OpRole::activation, .title = N_("SiLU"), .family = N_("SwiGLU")};
    }

    Shape infer_shape(std::span<const Shape> in) const override {
        if (in.size() != 1) shape_error(*this, "expected one input", in);
        return in[0];
    }

    // y = x·σ(x)
    void forward(const ForwardArgs& a) const override {
        activate(a, [](Floats x) { return x * sigmoid_of(x); });
    }

    // dy/dx = s + x·s(1 − s),  s = σ(x)
    void backward(const BackwardArgs& a) const override {
        activate_backward(a, [&](Floats dy, std::int64_t i, std::int64_t count) {
            const Floats x = load_floats(a.inputs[0].data + i, count), s = sigmoid_of(x);
            return dy * (s + x * s * (1.0f - s));
        });
    }

    bool in_place(int input) const override { return input == 0; }

    bool by_slices(const Shape& output) const override { return output.rank() >= 3; }
    Reads reads(int /*input*/) const override { return Reads::slice; }

    bool propagates_nonfinite(int /*input*/) const override { return true; }

    OpExplanation explain(const ExplainArgs& a) const override {
        const double x = a.inputs[0].data[a.offset], divisor = 1.0 + std::exp(-x);
        OpExplanation e{"x / (1 + e^−x)",   format_number(x) + " / " + format_number(divisor),
                        N_("what goes in"), {},
                        x / divisor,        {.rounded = std::abs(x)}};
        e.terms.push_back({{{0, a.offset, x}}, e.value});
        return e;
    }
};

}  // namespace

OpPtr silu() { return std::make_shared<Silu>(); }

}  // namespace glassformer::ops
