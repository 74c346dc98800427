#include "core/base/error.h"
#include "core/base/mark_text.h"
#include "core/ops/kernel.h"
#include "core/ops/ops.h"

namespace glassformer::ops {

namespace {

using namespace kernel;

class RepeatHeads final : public Op {
public:
    explicit RepeatHeads(std::int64_t times) : times_(times) {}

    std::string_view name() const override { return "repeat_heads"; }
    OpTraits traits() const override { return {.role = OpRole::head_copy, .title = N_("shared by a group of heads")}; }
    std::vector<OpAttribute> attributes() const override { return {{"times", static_cast<double>(times_)}}; }

    Shape infer_shape(std::span<const Shape> in) const override {
        if (in.size() != 1 || in[0].rank() != 4) shape_error(*this, "expected x [B, P, H, D]", in);
        return Shape{in[0][0], in[0][1], in[0][2] * times_, in[0][3]};
    }

    void forward(const ForwardArgs& a) const override {
        const std::int64_t width = a.output.shape[3];
        for_ranges(a.pool, a.output.shape.elements() / width, row_grain(width),
                   [&](std::int64_t begin, std::int64_t end) {
                       for (std::int64_t r = begin; r < end; ++r)
                           std::copy_n(a.inputs[0].data + r / times_ * width, width, a.output.data + r * width);
                   });
    }

    // Every copy hands its gradient on to the one head.
    void backward(const BackwardArgs& a) const override {
        const GradientSlot dx = a.input_gradients[0];
        if (!dx.data) return;
        const std::int64_t width = a.output_gradient.shape[3],
                           rows = a.output_gradient.shape.elements() / (width * times_);
        for_ranges(a.pool, rows, row_grain(width * times_), [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t r = begin; r < end; ++r) {
                ArrayMap out(dx.data + r * width, width);
                for (std::int64_t t = 0; t < times_; ++t)
                    store(out, ConstArrayMap(a.output_gradient.data + (r * times_ + t) * width, width),
                          dx.accumulate || t > 0);
            }
        });
    }

    OpExplanation explain(const ExplainArgs& a) const override {
        const std::int64_t width = a.output_shape[3], row = a.offset / width;
        const std::int64_t from = row / times_ * width + a.offset % width, head = row % a.output_shape[2];
        const double x = a.inputs[0].data[from];
        OpExplanation e{N_("x of the head that the group shares"),
                        filled_with(N_("head {1} reads shared head {2}"), head, head / times_),
                        N_("the shared cell"),
                        {},
                        x};
        e.terms.push_back({{{0, from, x}}, x});
        return e;
    }

    bool propagates_nonfinite(int /*input*/) const override { return true; }
    bool backward_reads_input(int) const override { return false; }

private:
    std::int64_t times_;
};

}  // namespace

OpPtr repeat_heads(std::int64_t times) {
    if (times < 1) throw Error("repeat_heads: a head is shared by at least 1 head, not {1}", times);
    return std::make_shared<RepeatHeads>(times);
}

}  // namespace glassformer::ops
