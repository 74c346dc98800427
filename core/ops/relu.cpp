#include "core/base/mark_text.h"
#include "core/ops/activation.h"
#include "core/ops/ops.h"

namespace glassformer::ops {

namespace {

using namespace kernel;

class Relu final : public Op {
public:
    std::string_view name() const override { return "relu"; }
    OpTraits traits() const override { return {.role = OpRole::activation, .title = N_("ReLU")}; }

    Shape infer_shape(std::span<const Shape> in) const override {
        if (in.size() != 1) shape_error(*this, "expected one input", in);
        return in[0];
    }

    // y = max(x, 0). A value that is not a number stays one, so that a model that diverges can be seen to.
    void forward(const ForwardArgs& a) const override {
        activate(a, [](Floats x) { return x <= 0.0f ? Floats{} : x; });
    }

    // dx = dy where y > 0, which is where x > 0, so x need not be kept.
    void backward(const BackwardArgs& a) const override {
        activate_backward(a, [&](Floats dy, std::int64_t i, std::int64_t count) {
            return load_floats(a.output.data + i, count) > 0.0f ? dy : Floats{};
        });
    }

    bool in_place(int input) const override { return input == 0; }

    bool by_slices(const Shape& output) const override { return output.rank() >= 3; }
    Reads reads(int /*input*/) const override { return Reads::slice; }

    OpExplanation explain(const ExplainArgs& a) const override {
        const double x = a.inputs[0].data[a.offset];
        OpExplanation e{"max(x, 0)", "max(" + format_number(x) + ", 0)", N_("what goes in"), {}, x > 0.0 ? x : 0.0};
        e.terms.push_back({{{0, a.offset, x}}, e.value});
        return e;
    }

    bool backward_reads_input(int) const override { return false; }
    bool backward_reads_output() const override { return true; }
};

}  // namespace

OpPtr relu() { return std::make_shared<Relu>(); }

}  // namespace glassformer::ops
