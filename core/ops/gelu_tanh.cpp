#include <cmath>
#include <numbers>

#include "core/base/mark_text.h"
#include "core/ops/activation.h"
#include "core/ops/ops.h"

namespace glassformer::ops {

namespace {

using namespace kernel;

constexpr float sqrt_2_over_pi = 0.797884560802865356f;
constexpr float cubic = 0.044715f;

class GeluTanh final : public Op {
public:
    std::string_view name() const override { return "gelu_tanh"; }
    OpTraits traits() const override { return {.role = OpRole::activation, .title = N_("GELU (tanh)")}; }

    Shape infer_shape(std::span<const Shape> in) const override {
        if (in.size() != 1) shape_error(*this, "expected one input", in);
        return in[0];
    }

    // y = ½x(1 + tanh u) = x·σ(2u),  u = √(2/π)(x + 0.044715x³). With σ nothing cancels far below zero.
    void forward(const ForwardArgs& a) const override {
        activate(a, [](Floats x) { return x * share_of(x); });
    }

    // dy/dx = s + x·s(1 − s)·2u′,  s = σ(2u),  u′ = √(2/π)(1 + 3·0.044715x²)
    void backward(const BackwardArgs& a) const override {
        activate_backward(a, [&](Floats dy, std::int64_t i, std::int64_t count) {
            const Floats x = load_floats(a.inputs[0].data + i, count), s = share_of(x),
                         slope = (2.0f * sqrt_2_over_pi) * (1.0f + 3.0f * cubic * (x * x));
            return dy * (s + x * s * (1.0f - s) * slope);
        });
    }

    bool in_place(int input) const override { return input == 0; }

    bool by_slices(const Shape& output) const override { return output.rank() >= 3; }
    Reads reads(int /*input*/) const override { return Reads::slice; }

    bool propagates_nonfinite(int /*input*/) const override { return true; }

    OpExplanation explain(const ExplainArgs& a) const override {
        const double x = a.inputs[0].data[a.offset], u = std::sqrt(2.0 / std::numbers::pi) * (x + 0.044715 * x * x * x);
        OpExplanation e{"½x · (1 + tanh(√(2/π)(x + 0.044715x³)))",
                        format_number(x / 2) + " · (1 + tanh(" + format_number(u) + "))",
                        N_("what goes in"),
                        {},
                        0.5 * x * (1.0 + std::tanh(u)),
                        {.rounded = std::abs(x)}};
        e.terms.push_back({{{0, a.offset, x}}, e.value});
        return e;
    }

private:
    static Floats share_of(Floats x) { return sigmoid_of((2.0f * sqrt_2_over_pi) * (x + cubic * (x * x * x))); }
};

}  // namespace

OpPtr gelu_tanh() { return std::make_shared<GeluTanh>(); }

}  // namespace glassformer::ops
