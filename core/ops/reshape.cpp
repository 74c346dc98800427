#include "core/base/filled.h"
#include "core/base/mark_text.h"
#include "core/ops/ops.h"

namespace glassformer::ops {

namespace {

class Reshape final : public Op {
public:
    explicit Reshape(const Shape& shape) : shape_(shape) {}

    std::string_view name() const override { return "reshape"; }

    Shape infer_shape(std::span<const Shape> in) const override {
        if (in.size() != 1 || in[0].elements() != shape_.elements())
            shape_error(*this, filled_with(N_("cannot become {1}"), shape_.to_string()), in);
        return shape_;
    }

    void forward(const ForwardArgs&) const override {}
    void backward(const BackwardArgs&) const override {}

    bool propagates_nonfinite(int /*input*/) const override { return true; }

    OpExplanation explain(const ExplainArgs& a) const override {
        const double x = a.inputs[0].data[a.offset];
        OpExplanation e{N_("the same number, reshaped"), format_number(x), N_("the number"), {}, x};
        e.terms.push_back({{{0, a.offset, x}}, x});
        return e;
    }

    bool backward_reads_input(int) const override { return false; }
    bool is_view() const override { return true; }

private:
    Shape shape_;
};

}  // namespace

OpPtr reshape(const Shape& shape) { return std::make_shared<Reshape>(shape); }

}  // namespace glassformer::ops
