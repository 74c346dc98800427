#include "core/base/mark_text.h"
#include "core/ops/kernel.h"
#include "core/ops/ops.h"

namespace glassformer::ops {

namespace {

using namespace kernel;

class Multiply final : public Op {
public:
    std::string_view name() const override { return "multiply"; }
    OpTraits traits() const override { return {.role = OpRole::gate}; }

    Shape infer_shape(std::span<const Shape> in) const override {
        if (in.size() != 2 || in[0] != in[1]) shape_error(*this, "expected a and b of the same shape", in);
        return in[0];
    }

    void forward(const ForwardArgs& a) const override {
        for_ranges(a.pool, a.output.shape.elements(), element_grain, [&](std::int64_t begin, std::int64_t end) {
            ArrayMap(a.output.data + begin, end - begin) = ConstArrayMap(a.inputs[0].data + begin, end - begin) *
                                                           ConstArrayMap(a.inputs[1].data + begin, end - begin);
        });
    }

    // da = dy ⊙ b,  db = dy ⊙ a
    void backward(const BackwardArgs& a) const override {
        const GradientSlot da = a.input_gradients[0], db = a.input_gradients[1];
        const std::int64_t n = a.output_gradient.shape.elements();
        for_ranges(a.pool, n, element_grain, [&](std::int64_t begin, std::int64_t end) {
            const ConstArrayMap dy(a.output_gradient.data + begin, end - begin);
            if (da.data)
                store(ArrayMap(da.data + begin, end - begin), dy * ConstArrayMap(a.inputs[1].data + begin, end - begin),
                      da.accumulate);
            if (db.data)
                store(ArrayMap(db.data + begin, end - begin), dy * ConstArrayMap(a.inputs[0].data + begin, end - begin),
                      db.accumulate);
        });
    }

    bool by_slices(const Shape& output) const override { return output.rank() >= 3; }
    Reads reads(int /*input*/) const override { return Reads::slice; }

    bool propagates_nonfinite(int /*input*/) const override { return true; }

    OpExplanation explain(const ExplainArgs& a) const override {
        const double x = a.inputs[0].data[a.offset], y = a.inputs[1].data[a.offset];
        OpExplanation e{"a · b",
                        format_number(x) + " · " + format_number(y),
                        N_("the two factors"),
                        {},
                        x * y,
                        {.join = TermJoin::product}};
        e.terms.push_back({{{0, a.offset, x}, {1, a.offset, y}}, e.value});
        return e;
    }
};

}  // namespace

OpPtr multiply() { return std::make_shared<Multiply>(); }

}  // namespace glassformer::ops
