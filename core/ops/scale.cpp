#include "core/base/mark_text.h"
#include "core/ops/attention.h"
#include "core/ops/ops.h"

namespace glassformer::ops {

namespace {

using namespace kernel;

class Scale final : public ScoreStep {
public:
    explicit Scale(float factor) : factor_(factor) {}

    std::string_view name() const override { return "scale"; }
    OpTraits traits() const override { return {.role = OpRole::attention_step, .title = "÷ √d", .step = "score"}; }
    std::vector<OpAttribute> attributes() const override { return {{"factor", static_cast<double>(factor_)}}; }

    Shape infer_shape(std::span<const Shape> in) const override {
        if (in.size() != 1) shape_error(*this, "expected one input", in);
        return in[0];
    }

    void forward(const ForwardArgs& a) const override {
        for_ranges(a.pool, a.output.shape.elements(), element_grain, [&](std::int64_t begin, std::int64_t end) {
            ArrayMap(a.output.data + begin, end - begin) =
                ConstArrayMap(a.inputs[0].data + begin, end - begin) * factor_;
        });
    }

    void change(const ScoreRows& s) const override {
        for (std::int64_t r = 0; r < s.rows; ++r) ArrayMap(s.row(r), s.width) *= factor_;
    }

    void backward(const BackwardArgs& a) const override {
        const GradientSlot dx = a.input_gradients[0];
        if (!dx.data) return;
        for_ranges(a.pool, a.output_gradient.shape.elements(), element_grain,
                   [&](std::int64_t begin, std::int64_t end) {
                       store(ArrayMap(dx.data + begin, end - begin),
                             ConstArrayMap(a.output_gradient.data + begin, end - begin) * factor_, dx.accumulate);
                   });
    }

    bool in_place(int input) const override { return input == 0; }

    bool by_slices(const Shape& output) const override { return output.rank() >= 3; }
    Reads reads(int /*input*/) const override { return Reads::slice; }

    bool propagates_nonfinite(int /*input*/) const override { return true; }

    OpExplanation explain(const ExplainArgs& a) const override {
        const double x = a.inputs[0].data[a.offset], factor = factor_;
        OpExplanation e{N_("factor · x"), format_number(factor) + " · " + format_number(x),
                        N_("the input"),  {},
                        factor * x,       {.main_term = 0}};
        e.terms.push_back({{{0, a.offset, x}}, e.value});
        return e;
    }

    bool backward_reads_input(int) const override { return false; }

private:
    float factor_;
};

}  // namespace

OpPtr scale(float factor) { return std::make_shared<Scale>(factor); }

}  // namespace glassformer::ops
