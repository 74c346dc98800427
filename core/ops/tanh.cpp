#include <cmath>

#include "core/base/mark_text.h"
#include "core/ops/activation.h"
#include "core/ops/ops.h"

namespace glassformer::ops {

namespace {

using namespace kernel;

class Tanh final : public Op {
public:
    std::string_view name() const override { return "tanh"; }
    OpTraits traits() const override { return {.role = OpRole::activation, .title = N_("tanh")}; }

    Shape infer_shape(std::span<const Shape> in) const override {
        if (in.size() != 1) shape_error(*this, "expected one input", in);
        return in[0];
    }

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

    bool in_place(int input) const override { return input == 0; }

    bool by_slices(const Shape& output) const override { return output.rank() >= 3; }
    Reads reads(int /*input*/) const override { return Reads::slice; }

    bool propagates_nonfinite(int /*input*/) const override { return false; }  // tanh ∞ is 1

    OpExplanation explain(const ExplainArgs& a) const override {
        const double x = a.inputs[0].data[a.offset];
        OpExplanation e{"tanh x", "tanh(" + format_number(x) + ")", N_("what goes in"), {}, std::tanh(x)};
        e.terms.push_back({{{0, a.offset, x}}, e.value});
        return e;
    }
};

}  // namespace

OpPtr tanh() { return std::make_shared<Tanh>(); }

}  // namespace glassformer::ops
