#include "tests/ops/op_harness.h"

#include <doctest/doctest.h>

#include "tests/ops/guarded_run.h"

using namespace glassformer;
using namespace glassformer::testing;

namespace {

enum class Fault {
    none,
    factor,
    one_cell,
    ignores_accumulate,
    leaves_cell,
    operand,
    value,
    share,
    one_too_many,
    one_too_many_back,
    reads_output
};

/// y = x², wrong in one way.
class Square final : public Op {
public:
    explicit Square(Fault fault) : fault_(fault) {}

    std::string_view name() const override { return "square"; }
    Shape infer_shape(std::span<const Shape> in) const override { return in[0]; }

    void forward(const ForwardArgs& a) const override {
        for (std::int64_t i = 0; i < a.output.shape.elements(); ++i)
            a.output.data[i] = a.inputs[0].data[i] * a.inputs[0].data[i];
        if (fault_ == Fault::one_too_many) a.output.data[a.output.shape.elements()] = 0.0f;
    }

    void backward(const BackwardArgs& a) const override {
        const GradientSlot dx = a.input_gradients[0];
        for (std::int64_t i = 0; i < a.output_gradient.shape.elements(); ++i) {
            if (fault_ == Fault::leaves_cell && i == 1) continue;
            float d = 2.0f * a.inputs[0].data[i] * a.output_gradient.data[i];
            if (fault_ == Fault::factor) d *= 1.01f;
            if (fault_ == Fault::one_cell && i == 2) d += 0.05f;
            if (fault_ == Fault::reads_output) d += a.output.data[i] - a.output.data[i];
            dx.data[i] = d + (dx.accumulate && fault_ != Fault::ignores_accumulate ? dx.data[i] : 0.0f);
        }
        if (fault_ == Fault::one_too_many_back) dx.data[-1] = 0.0f;
    }

    OpExplanation explain(const ExplainArgs& a) const override {
        const double x = a.inputs[0].data[a.offset];
        OpExplanation e{"x²", "", "x", {}, x * x * (fault_ == Fault::value ? 1.0001 : 1.0)};
        e.terms.push_back(
            {{{0, a.offset, x + (fault_ == Fault::operand ? 1.0 : 0.0)}}, fault_ == Fault::share ? x : e.value});
        return e;
    }

private:
    Fault fault_;
};

OpCase square(Fault fault) { return {std::make_shared<Square>(fault), {normal({5, 7}, 1)}, 1e-2}; }

}  // namespace

TEST_CASE("the harness accepts a correct op and finds each fault of a wrong one") {
    CHECK(any_error(square(Fault::none)) == "");
    CHECK(gradient_error(square(Fault::factor)) != "");
    CHECK(gradient_error(square(Fault::one_cell)) != "");
    CHECK(gradient_error(square(Fault::leaves_cell)) != "");
    CHECK(accumulation_error(square(Fault::ignores_accumulate)) != "");
    CHECK(explanation_error(square(Fault::operand)) != "");
    CHECK(explanation_error(square(Fault::value)) != "");
    CHECK(explanation_error(square(Fault::share)) != "");
    CHECK(guard_error(square(Fault::none)) == "");
    for (const Fault fault : {Fault::leaves_cell, Fault::one_too_many, Fault::one_too_many_back, Fault::reads_output})
        CHECK(guard_error(square(fault)) != "");
}
