#include <cstring>

#include "core/base/error.h"
#include "core/base/filled.h"
#include "core/base/mark_text.h"
#include "core/ops/kernel.h"
#include "core/ops/ops.h"

namespace glassformer::ops {

namespace {

using namespace kernel;

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
        return {N_("the same number, reshaped"), format_number(x), N_("the number"), {Term{{{0, a.offset, x}}, x}}, x};
    }

    bool backward_reads_input(int) const override { return false; }
    bool is_view() const override { return true; }

private:
    Shape shape_;
};

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
        for_each_in(a.pool, a.output.shape.elements() / width, row_grain(width), [&](std::int64_t r) {
            std::copy_n(a.inputs[0].data + r / times_ * width, width, a.output.data + r * width);
        });
    }

    // The gradients of all copies add up in the one head.
    void backward(const BackwardArgs& a) const override {
        const GradientSlot dx = a.input_gradients[0];
        if (!dx.data) return;
        const std::int64_t width = a.output_gradient.shape[3],
                           rows = a.output_gradient.shape.elements() / (width * times_);
        for_each_in(a.pool, rows, row_grain(width * times_), [&](std::int64_t r) {
            ArrayMap out(dx.data + r * width, width);
            for (std::int64_t t = 0; t < times_; ++t)
                store(out, ConstArrayMap(a.output_gradient.data + (r * times_ + t) * width, width),
                      dx.accumulate || t > 0);
        });
    }

    OpExplanation explain(const ExplainArgs& a) const override {
        const std::int64_t width = a.output_shape[3], row = a.offset / width;
        const std::int64_t from = row / times_ * width + a.offset % width, head = row % a.output_shape[2];
        const double x = a.inputs[0].data[from];
        return {N_("x of the head that the group shares"),
                filled_with(N_("head {1} reads shared head {2}"), head, head / times_),
                N_("the shared cell"),
                {Term{{{0, from, x}}, x}},
                x};
    }

    bool propagates_nonfinite(int /*input*/) const override { return true; }
    bool backward_reads_input(int) const override { return false; }

private:
    std::int64_t times_;
};

class CacheRow final : public OpWithoutGradient {
public:
    std::string_view name() const override { return "cache_row"; }

    Shape infer_shape(std::span<const Shape> in) const override {
        if (in.size() != 3 || in[0].rank() != 4 || in[0][0] != 1 || in[1] != Shape{1, 1, in[0][2], in[0][3]} ||
            in[2] != Shape{1})
            shape_error(*this, "expected cache [1, C, H, D], row [1, 1, H, D] and position [1]", in);
        return in[0];
    }

    // A position outside the cache leaves it unchanged.
    void forward(const ForwardArgs& a) const override {
        const std::int64_t width = a.inputs[1].shape.elements(), position = position_of(a.inputs[2]);
        if (a.output.data == a.inputs[0].data) {  // the cache is already there
            if (position >= 0 && position < a.output.shape[1])
                std::memcpy(a.output.data + position * width, a.inputs[1].data, sizeof(float) * width);
            return;
        }
        for_each_in(a.pool, a.output.shape[1], row_grain(width), [&](std::int64_t c) {
            std::memcpy(a.output.data + c * width, c == position ? a.inputs[1].data : a.inputs[0].data + c * width,
                        sizeof(float) * width);
        });
    }

    OpExplanation explain(const ExplainArgs& a) const override {
        const std::int64_t width = a.inputs[1].shape.elements(), position = a.offset / width;
        const bool fresh = position == position_of(a.inputs[2]);
        const OperandCell source = fresh ? OperandCell{1, a.offset % width, a.inputs[1].data[a.offset % width]}
                                         : OperandCell{0, a.offset, a.inputs[0].data[a.offset]};
        return {
            N_("the row at its position, the cache elsewhere"),
            filled_with(fresh ? N_("position {1} is the new row") : N_("position {1} comes from the cache"), position),
            N_("the source of this number"),
            {Term{{source, {2, 0, a.inputs[2].data[0]}}, source.value}},
            source.value};
    }

    bool updates_first_input() const override { return true; }

private:
    static std::int64_t position_of(const ConstView& view) { return static_cast<std::int64_t>(view.data[0]); }
};

}  // namespace

OpPtr reshape(const Shape& shape) { return std::make_shared<Reshape>(shape); }
OpPtr repeat_heads(std::int64_t times) {
    if (times < 1) throw Error("repeat_heads: a head is shared by at least 1 head, not {1}", times);
    return std::make_shared<RepeatHeads>(times);
}
OpPtr cache_row() { return std::make_shared<CacheRow>(); }

}  // namespace glassformer::ops
