#include "core/ops/elementary.h"
#include "core/ops/kernel.h"
#include "core/ops/ops.h"

namespace glassformer::ops {

namespace {

using namespace kernel;

class Relu final : public Op {
public:
    std::string_view name() const override { return "relu"; }

    Shape infer_shape(std::span<const Shape> in) const override {
        if (in.size() != 1) shape_error(*this, "expected one input", in);
        return in[0];
    }

    // y = max(x, 0). A value that is not a number stays one, so that a model that diverges can be seen to.
    void forward(const ForwardArgs& a) const override {
        for_ranges(a.pool, a.output.shape.elements(), element_grain, [&](std::int64_t begin, std::int64_t end) {
            for_lanes(begin, end, [&](std::int64_t i, std::int64_t count) {
                const Floats x = load_floats(a.inputs[0].data + i, count);
                store_floats(a.output.data + i, x <= 0.0f ? Floats{} : x, count);
            });
        });
    }

    // dx = dy where y > 0, which is where x > 0, so x need not be kept.
    void backward(const BackwardArgs& a) const override {
        const GradientSlot dx = a.input_gradients[0];
        if (!dx.data) return;
        for_ranges(a.pool, a.output_gradient.shape.elements(), element_grain,
                   [&](std::int64_t begin, std::int64_t end) {
                       for_lanes(begin, end, [&](std::int64_t i, std::int64_t count) {
                           const Floats y = load_floats(a.output.data + i, count);
                           Floats d = y > 0.0f ? load_floats(a.output_gradient.data + i, count) : Floats{};
                           if (dx.accumulate) d += load_floats(dx.data + i, count);
                           store_floats(dx.data + i, d, count);
                       });
                   });
    }

    OpExplanation explain(const ExplainArgs& a) const override {
        const double x = a.inputs[0].data[a.offset];
        OpExplanation e{"max(x, 0)", "max(" + format_number(x) + ", 0)", "what goes in", {}, x > 0.0 ? x : 0.0};
        e.terms.push_back({{{0, a.offset, x}}, e.value});
        return e;
    }

    bool backward_reads_input(int) const override { return false; }
    bool backward_reads_output() const override { return true; }
};

}  // namespace

OpPtr relu() { return std::make_shared<Relu>(); }

}  // namespace glassformer::ops
