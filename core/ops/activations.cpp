#include <Eigen/Core>
#include <cmath>
#include <numbers>
// Eigen's vectorised erf is in its unsupported modules.
#include <unsupported/Eigen/SpecialFunctions>

#include "core/base/mark_text.h"
#include "core/ops/elementary.h"
#include "core/ops/kernel.h"
#include "core/ops/ops.h"

namespace glassformer::ops {

namespace {

using namespace kernel;

/// y = f(x), one register of cells at a time.
template <class Function>
void activate(const ForwardArgs& a, const Function& f) {
    for_ranges(a.pool, a.output.shape.elements(), element_grain, [&](std::int64_t begin, std::int64_t end) {
        for_lanes(begin, end, [&](std::int64_t i, std::int64_t count) {
            store_floats(a.output.data + i, f(load_floats(a.inputs[0].data + i, count)), count);
        });
    });
}

/// dx (+)= gradient(dy, i, count), for the `count` cells from i on.
template <class Function>
void activate_backward(const BackwardArgs& a, const Function& gradient) {
    const GradientSlot dx = a.input_gradients[0];
    if (!dx.data) return;
    for_ranges(a.pool, a.output_gradient.shape.elements(), element_grain, [&](std::int64_t begin, std::int64_t end) {
        for_lanes(begin, end, [&](std::int64_t i, std::int64_t count) {
            Floats d = gradient(load_floats(a.output_gradient.data + i, count), i, count);
            if (dx.accumulate) d += load_floats(dx.data + i, count);
            store_floats(dx.data + i, d, count);
        });
    });
}

/// A function applied to every cell.
class ActivationOp : public Op {
public:
    Shape infer_shape(std::span<const Shape> in) const final {
        if (in.size() != 1) shape_error(*this, "expected one input", in);
        return in[0];
    }
    bool in_place(int input) const final { return input == 0; }
    bool by_slices(const Shape& output) const final { return output.rank() >= 3; }
    Reads reads(int /*input*/) const final { return Reads::slice; }

    OpExplanation explain(const ExplainArgs& a) const final {
        const double x = a.inputs[0].data[a.offset];
        OpExplanation e = explain_cell(x);
        e.terms_title = N_("the input");
        e.terms.push_back({{{0, a.offset, x}}, e.value});
        return e;
    }

protected:
    /// Formula, numbers and value for this x.
    virtual OpExplanation explain_cell(double x) const = 0;
};

class Relu final : public ActivationOp {
public:
    std::string_view name() const override { return "relu"; }
    OpTraits traits() const override { return {.role = OpRole::activation, .title = N_("ReLU")}; }

    // y = max(x, 0). NaN stays NaN, so that a diverging model is visible.
    void forward(const ForwardArgs& a) const override {
        activate(a, [](Floats x) { return x <= 0.0f ? Floats{} : x; });
    }

    // dx = dy where y > 0, which is the same as x > 0, so x need not be kept.
    void backward(const BackwardArgs& a) const override {
        activate_backward(a, [&](Floats dy, std::int64_t i, std::int64_t count) {
            return load_floats(a.output.data + i, count) > 0.0f ? dy : Floats{};
        });
    }

    bool backward_reads_input(int) const override { return false; }
    bool backward_reads_output() const override { return true; }

protected:
    OpExplanation explain_cell(double x) const override {
        return {"max(x, 0)", "max(" + format_number(x) + ", 0)", {}, {}, x > 0.0 ? x : 0.0};
    }
};

class Gelu final : public ActivationOp {
public:
    std::string_view name() const override { return "gelu"; }
    OpTraits traits() const override { return {.role = OpRole::activation, .title = N_("GELU")}; }

    // y = x·Φ(x),  Φ(x) = ½(1 + erf(x / √2))
    void forward(const ForwardArgs& a) const override {
        for_ranges(a.pool, a.output.shape.elements(), element_grain, [&](std::int64_t begin, std::int64_t end) {
            const ConstArrayMap x(a.inputs[0].data + begin, end - begin);
            ArrayMap(a.output.data + begin, end - begin) = 0.5f * x * (1.0f + (x * inv_sqrt2).erf());
        });
    }

    // dy/dx = Φ(x) + x·φ(x),  φ(x) = e^(−x²/2) / √(2π). Φ(x) is y / x: a division takes half the time of another erf.
    void backward(const BackwardArgs& a) const override {
        activate_backward(a, [&](Floats dy, std::int64_t i, std::int64_t count) {
            const Floats x = load_floats(a.inputs[0].data + i, count), y = load_floats(a.output.data + i, count);
            const Floats size = x < 0.0f ? -x : x, phi = size < near_zero ? Floats{} + 0.5f : y / x;
            return dy * (phi + x * inv_sqrt_2pi * exp_of(-0.5f * x * x));
        });
    }

    bool propagates_nonfinite(int /*input*/) const override { return true; }
    bool backward_reads_output() const override { return true; }

protected:
    OpExplanation explain_cell(double x) const override {
        const double phi = 0.5 * (1.0 + std::erf(x / std::numbers::sqrt2));
        // Far below zero 1 + erf loses every digit, and the remainder is rounding error of x.
        return {"x · Φ(x)", format_number(x) + " · " + format_number(phi), {}, {}, x * phi, {.rounded = std::abs(x)}};
    }

private:
    static constexpr float inv_sqrt2 = 1.0f / std::numbers::sqrt2_v<float>;
    static constexpr float inv_sqrt_2pi = 0.398942280401432678f;
    static constexpr float near_zero = 1e-30f;  // below this Φ is ½, and y may be too small for a float
};

class GeluTanh final : public ActivationOp {
public:
    std::string_view name() const override { return "gelu_tanh"; }
    OpTraits traits() const override { return {.role = OpRole::activation, .title = N_("GELU (tanh)")}; }

    // y = ½x(1 + tanh u) = x·σ(2u),  u = √(2/π)(x + 0.044715x³). The form with σ avoids cancellation far below zero.
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

    bool propagates_nonfinite(int /*input*/) const override { return true; }

protected:
    OpExplanation explain_cell(double x) const override {
        const double u = std::sqrt(2.0 / std::numbers::pi) * (x + 0.044715 * x * x * x);
        return {"½x · (1 + tanh(√(2/π)(x + 0.044715x³)))",
                format_number(x / 2) + " · (1 + tanh(" + format_number(u) + "))",
                {},
                {},
                0.5 * x * (1.0 + std::tanh(u)),
                {.rounded = std::abs(x)}};
    }

private:
    static constexpr float sqrt_2_over_pi = 0.797884560802865356f;
    static constexpr float cubic = 0.044715f;

    static Floats share_of(Floats x) { return sigmoid_of((2.0f * sqrt_2_over_pi) * (x + cubic * (x * x * x))); }
};

class Silu final : public ActivationOp {
public:
    std::string_view name() const override { return "silu"; }
    OpTraits traits() const override {
        return {.role = OpRole::activation, .title = N_("SiLU"), .family = N_("SwiGLU")};
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

    bool propagates_nonfinite(int /*input*/) const override { return true; }

protected:
    OpExplanation explain_cell(double x) const override {
        const double divisor = 1.0 + std::exp(-x);
        return {"x / (1 + e^−x)",        format_number(x) + " / " + format_number(divisor), {}, {}, x / divisor,
                {.rounded = std::abs(x)}};
    }
};

class Tanh final : public ActivationOp {
public:
    std::string_view name() const override { return "tanh"; }
    OpTraits traits() const override { return {.role = OpRole::activation, .title = N_("tanh")}; }

    // y = tanh x
    void forward(const ForwardArgs& a) const override {
        activate(a, [](Floats x) { return tanh_of(x); });
    }

    // dy/dx = 1 − tanh²x
    void backward(const BackwardArgs& a) const override {
        activate_backward(a, [&](Floats dy, std::int64_t i, std::int64_t count) {
            const Floats y = tanh_of(load_floats(a.inputs[0].data + i, count));
            return dy * (1.0f - y * y);
        });
    }

    bool propagates_nonfinite(int /*input*/) const override { return false; }  // tanh ∞ is 1

protected:
    OpExplanation explain_cell(double x) const override {
        return {"tanh x", "tanh(" + format_number(x) + ")", {}, {}, std::tanh(x)};
    }
};

}  // namespace

OpPtr relu() { return std::make_shared<Relu>(); }
OpPtr gelu() { return std::make_shared<Gelu>(); }
OpPtr gelu_tanh() { return std::make_shared<GeluTanh>(); }
OpPtr silu() { return std::make_shared<Silu>(); }
OpPtr tanh() { return std::make_shared<Tanh>(); }

}  // namespace glassformer::ops
