#include <algorithm>

#include "core/base/error.h"
#include "core/base/mark_text.h"
#include "core/ops/kernel.h"
#include "core/ops/ops.h"
#include "core/ops/rotary.h"

namespace glassformer::ops {

namespace {

using namespace kernel;

class RotaryPartial final : public Op {
public:
    RotaryPartial(float base, std::int64_t dims) : rotation_{base, dims} {}

    std::string_view name() const override { return "rotary_partial"; }
    OpTraits traits() const override {
        return {.role = OpRole::attention_step, .title = N_("rotated by its position")};
    }
    std::vector<OpAttribute> attributes() const override {
        return {{"base", rotation_.base}, {"dims", static_cast<double>(rotation_.dims)}};
    }

    Shape infer_shape(std::span<const Shape> in) const override {
        if (in.size() != 1 || in[0].rank() != 4 || in[0][3] < rotation_.dims)
            shape_error(*this, "expected x [B, P, H, D] with a D of at least " + std::to_string(rotation_.dims), in);
        return in[0];
    }

    void forward(const ForwardArgs& a) const override {
        apply(a.pool, a.output.shape, a.inputs[0].data, {a.output.data, false}, 1.0);
    }

    // The transpose of a rotation is the rotation the other way; what is not turned passes.
    void backward(const BackwardArgs& a) const override {
        if (a.input_gradients[0].data)
            apply(a.pool, a.output_gradient.shape, a.output_gradient.data, a.input_gradients[0], -1.0);
    }

    OpExplanation explain(const ExplainArgs& a) const override {
        if (a.offset % a.output_shape[3] < rotation_.dims) return rotation_.explain(a, std::to_string(rotation_.dims));
        const double x = a.inputs[0].data[a.offset];
        OpExplanation e{"x: features from " + std::to_string(rotation_.dims) + " on are not turned",
                        format_number(x),
                        N_("the cell itself"),
                        {},
                        x};
        e.terms.push_back({{{0, a.offset, x}}, x});
        return e;
    }

    bool propagates_nonfinite(int /*input*/) const override { return true; }
    bool backward_reads_input(int) const override { return false; }

private:
    void apply(ThreadPool& pool, const Shape& shape, const float* x, const GradientSlot& y, double direction) const {
        rotation_.turn(pool, shape, x, y, direction);
        const std::int64_t width = shape[3], dims = rotation_.dims, rest = width - dims;
        if (rest == 0) return;
        for_ranges(pool, shape.elements() / width, row_grain(rest), [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t r = begin; r < end; ++r)
                store(ArrayMap(y.data + r * width + dims, rest), ConstArrayMap(x + r * width + dims, rest),
                      y.accumulate);
        });
    }

    Rotation rotation_;
};

}  // namespace

OpPtr rotary_partial(float base, std::int64_t dims) {
    require_base("rotary_partial", base);
    if (dims < 2 || dims % 2 != 0)
        throw Error("rotary_partial: pairs of features are turned, so dims must be even and at least 2, not " +
                    std::to_string(dims));
    return std::make_shared<RotaryPartial>(base, dims);
}

}  // namespace glassformer::ops
