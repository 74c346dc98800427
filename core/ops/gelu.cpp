#include <Eigen/Core>
#include <cmath>
#include <numbers>
// Eigen's vectorised erf lives among its unsupported modules.
#include <unsupported/Eigen/SpecialFunctions>

#include "core/base/mark_text.h"
#include "core/ops/activation.h"
#include "core/ops/ops.h"

namespace glassformer::ops {

namespace {

using namespace kernel;

constexpr float inv_sqrt2 = 1.0f / std::numbers::sqrt2_v<float>;
constexpr float inv_sqrt_2pi = 0.398942280401432678f;
constexpr float near_zero = 1e-30f;  // below this Φ is ½, and y may be too small for a float

class Gelu final : public Op {
public:
    std::string_view name() const override { return "gelu"; }
    OpTraits traits() const override { return {.role = OpRole::activation, .title = N_("GELU")}; }

    Shape infer_shape(std::span<const Shape> in) const override {
        if (in.size() != 1) shape_error(*this, "expected one input", in);
        return in[0];
    }

    // y = x·Φ(x),  Φ(x) = ½(1 + erf(x / √2))
    void forward(const ForwardArgs& a) const override {
        for_ranges(a.pool, a.output.shape.elements(), element_grain, [&](std::int64_t begin, std::int64_t end) {
            const ConstArrayMap x(a.inputs[0].data + begin, end - begin);
            ArrayMap(a.output.data + begin, end - begin) = 0.5f * x * (1.0f + (x * inv_sqrt2).erf());
        });
    }

    // dy/dx = Φ(x) + x·φ(x),  φ(x) = e^(−x²/2) / √(2π). Φ(x) is y / x: dividing takes half the time of another erf.
    void backward(const BackwardArgs& a) const override {
        activate_backward(a, [&](Floats dy, std::int64_t i, std::int64_t count) {
            const Floats x = load_floats(a.inputs[0].data + i, count), y = load_floats(a.output.data + i, count);
            const Floats size = x < 0.0f ? -x : x, phi = size < near_zero ? Floats{} + 0.5f : y / x;
            return dy * (phi + x * inv_sqrt_2pi * exp_of(-0.5f * x * x));
        });
    }

    bool in_place(int input) const override { return input == 0; }

    bool by_slices(const Shape& output) const override { return output.rank() >= 3; }
    Reads reads(int /*input*/) const override { return Reads::slice; }

    bool propagates_nonfinite(int /*input*/) const override { return true; }

    OpExplanation explain(const ExplainArgs& a) const override {
        const double x = a.inputs[0].data[a.offset], phi = 0.5 * (1.0 + std::erf(x / std::numbers::sqrt2));
        OpExplanation e{"x · Φ(x)",
                        format_number(x) + " · " + format_number(phi),
                        N_("what goes in"),
                        {},
                        x * phi,
                        // Far below zero 1 + erf loses every digit, and what is left is a rounding of x.
                        {.rounded = std::abs(x)}};
        e.terms.push_back({{{0, a.offset, x}}, e.value});
        return e;
    }

    bool backward_reads_output() const override { return true; }
};

}  // namespace

OpPtr gelu() { return std::make_shared<Gelu>(); }

}  // namespace glassformer::ops
