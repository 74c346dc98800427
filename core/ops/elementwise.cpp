#include "core/base/mark_text.h"
#include "core/ops/attention.h"
#include "core/ops/kernel.h"
#include "core/ops/ops.h"

namespace glassformer::ops {

namespace {

using namespace kernel;

class Add final : public Op {
public:
    std::string_view name() const override { return "add"; }
    OpTraits traits() const override { return {.role = OpRole::add}; }

    Shape infer_shape(std::span<const Shape> in) const override {
        if (in.size() != 2 || in[1].rank() > in[0].rank())
            shape_error(*this, "expected a and a b that ends like it", in);
        for (int axis = 0; axis < in[1].rank(); ++axis)
            if (in[0].back(axis) != in[1].back(axis)) shape_error(*this, "b's shape is not the end of a's", in);
        return in[0];
    }

    void forward(const ForwardArgs& a) const override {
        const std::int64_t n = a.output.shape.elements(), period = a.inputs[1].shape.elements();
        if (n == 0) return;
        // Pieces hold whole repetitions of b.
        const std::int64_t repeats = n / period;
        if (repeats == 1) {
            for_ranges(a.pool, n, element_grain, [&](std::int64_t begin, std::int64_t end) {
                ArrayMap(a.output.data + begin, end - begin) = ConstArrayMap(a.inputs[0].data + begin, end - begin) +
                                                               ConstArrayMap(a.inputs[1].data + begin, end - begin);
            });
            return;
        }
        const ConstArrayMap b(a.inputs[1].data, period);
        for_ranges(a.pool, repeats, std::max<std::int64_t>(1, element_grain / period),
                   [&](std::int64_t begin, std::int64_t end) {
                       for (std::int64_t r = begin; r < end; ++r)
                           ArrayMap(a.output.data + r * period, period) =
                               ConstArrayMap(a.inputs[0].data + r * period, period) + b;
                   });
    }

    void backward(const BackwardArgs& a) const override {
        const std::int64_t n = a.output_gradient.shape.elements(), period = a.inputs[1].shape.elements();
        const GradientSlot da = a.input_gradients[0], db = a.input_gradients[1];
        const float* dy = a.output_gradient.data;
        if (n == 0) return;
        if (da.data && da.data != dy)  // in place the gradient is there already
            for_ranges(a.pool, n, element_grain, [&](std::int64_t begin, std::int64_t end) {
                store(ArrayMap(da.data + begin, end - begin), ConstArrayMap(dy + begin, end - begin), da.accumulate);
            });
        if (db.data)
            for_ranges(a.pool, period, std::max<std::int64_t>(16, element_grain / (n / period)),
                       [&](std::int64_t begin, std::int64_t end) {
                           ArrayMap sum(db.data + begin, end - begin);
                           if (!db.accumulate) sum.setZero();
                           for (std::int64_t r = 0; r < n / period; ++r)
                               sum += ConstArrayMap(dy + r * period + begin, end - begin);
                       });
    }

    bool propagates_nonfinite(int /*input*/) const override { return true; }

    OpExplanation explain(const ExplainArgs& a) const override {
        const std::int64_t b_offset = a.offset % a.inputs[1].shape.elements();
        const double x = a.inputs[0].data[a.offset], y = a.inputs[1].data[b_offset];
        OpExplanation e{"a + b", format_number(x) + " + " + format_number(y), N_("the two terms"), {}, x + y};
        e.terms.push_back({{{0, a.offset, x}}, x});
        e.terms.push_back({{{1, b_offset, y}}, y});
        return e;
    }

    bool backward_reads_input(int) const override { return false; }

    bool in_place(int input) const override { return input == 0; }
};

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

OpPtr add() { return std::make_shared<Add>(); }
OpPtr multiply() { return std::make_shared<Multiply>(); }
OpPtr scale(float factor) { return std::make_shared<Scale>(factor); }

}  // namespace glassformer::ops
