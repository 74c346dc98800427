#include <bit>

#include "core/base/error.h"
#include "core/base/mark_text.h"
#include "core/ops/attention.h"
#include "core/ops/dropout_hash.h"
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
        // Pieces consist of whole repetitions of b.
        const std::int64_t repeats = n / period;
        if (repeats == 1) {
            for_ranges(a.pool, n, element_grain, [&](std::int64_t begin, std::int64_t end) {
                ArrayMap(a.output.data + begin, end - begin) = ConstArrayMap(a.inputs[0].data + begin, end - begin) +
                                                               ConstArrayMap(a.inputs[1].data + begin, end - begin);
            });
            return;
        }
        const ConstArrayMap b(a.inputs[1].data, period);
        for_each_in(a.pool, repeats, element_grain / period, [&](std::int64_t r) {
            ArrayMap(a.output.data + r * period, period) = ConstArrayMap(a.inputs[0].data + r * period, period) + b;
        });
    }

    void backward(const BackwardArgs& a) const override {
        const std::int64_t n = a.output_gradient.shape.elements(), period = a.inputs[1].shape.elements();
        const GradientSlot da = a.input_gradients[0], db = a.input_gradients[1];
        const float* dy = a.output_gradient.data;
        if (n == 0) return;
        if (da.data && da.data != dy)  // in place, the gradient is already there
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
        return {"a + b",
                format_number(x) + " + " + format_number(y),
                N_("the two terms"),
                {Term{{{0, a.offset, x}}, x}, Term{{{1, b_offset, y}}, y}},
                x + y};
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
        return {"a · b",
                format_number(x) + " · " + format_number(y),
                N_("the two factors"),
                {Term{{{0, a.offset, x}, {1, a.offset, y}}, x * y}},
                x * y,
                {.join = TermJoin::product}};
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
        return {N_("factor · x"), format_number(factor) + " · " + format_number(x),
                N_("the input"),  {Term{{{0, a.offset, x}}, factor * x}},
                factor * x,       {.main_term = 0}};
    }

    bool backward_reads_input(int) const override { return false; }

private:
    float factor_;
};

/// The contents of input 1.
struct State {
    bool training;
    std::uint32_t step, seed;
    explicit State(const float* cells)
        : training(cells[0] != 0.0f),
          step(static_cast<std::uint32_t>(cells[1])),
          seed(static_cast<std::uint32_t>(cells[2])) {}
};

class Dropout final : public Op {
public:
    Dropout(float rate, std::uint32_t stream) : rate_(rate), stream_(stream) {}

    std::string_view name() const override { return "dropout"; }
    OpTraits traits() const override { return {.training_only = true}; }
    std::vector<OpAttribute> attributes() const override {
        return {{"rate", static_cast<double>(rate_)}, {"stream", static_cast<double>(stream_)}};
    }

    Shape infer_shape(std::span<const Shape> in) const override {
        if (in.size() != 2 || in[1] != Shape{3}) shape_error(*this, "expected x [..] and state [3]", in);
        return in[0];
    }

    void forward(const ForwardArgs& a) const override {
        apply(a.pool, a.output.shape.elements(), State(a.inputs[1].data), a.inputs[0].data, {a.output.data, false});
    }

    // Recomputes which cells were dropped instead of storing them.
    void backward(const BackwardArgs& a) const override {
        if (!a.input_gradients[0].data) return;
        apply(a.pool, a.output_gradient.shape.elements(), State(a.inputs[1].data), a.output_gradient.data,
              a.input_gradients[0]);
    }

    OpExplanation explain(const ExplainArgs& a) const override {
        const State state(a.inputs[1].data);
        const double x = a.inputs[0].data[a.offset], kept = 1.0 - static_cast<double>(rate_);
        OpExplanation e{N_("in training 0 or x / (1 − rate), else x"),
                        "",
                        N_("the input, and whether this is training"),
                        {},
                        x,
                        {.main_term = 0}};
        if (!state.training) {
            e.numbers = filled_with(N_("not in training: {1} unchanged"), format_number(x));
        } else if (dropped(state, a.offset)) {
            e.value = 0.0;
            e.numbers = filled_with(N_("dropped in step {1}"), state.step);
        } else {
            e.value = x / kept;
            e.numbers = filled_with(N_("kept: {1} / (1 − {2})"), format_number(x), format_number(rate_));
        }
        e.terms.push_back({{{0, a.offset, x}, {1, 0, a.inputs[1].data[0]}}, e.value});
        return e;
    }

    bool has_gradient(int input) const override { return input == 0; }
    bool backward_reads_input(int input) const override { return input == 1; }

private:
    bool dropped(const State& state, std::int64_t cell) const {
        return dropout_hash(state.seed, state.step, stream_, static_cast<std::uint32_t>(cell)) <
               dropout_threshold(rate_);
    }

    // y (+)= x where a cell is kept, scaled, and 0 elsewhere: forward and backward are the same map.
    void apply(ThreadPool& pool, std::int64_t n, const State& state, const float* x, GradientSlot y) const {
        for_ranges(pool, n, element_grain, [&](std::int64_t begin, std::int64_t end) {
            if (!state.training)
                store(ArrayMap(y.data + begin, end - begin), ConstArrayMap(x + begin, end - begin), y.accumulate);
            else if (y.accumulate)
                drop(begin, end, state, x, y.data, [](float& to, float value) { to += value; });
            else
                drop(begin, end, state, x, y.data, [](float& to, float value) { to = value; });
        });
    }

    template <class Put>
    void drop(std::int64_t begin, std::int64_t end, State state, const float* x, float* y, const Put& put) const {
        const float factor = 1.0f / (1.0f - rate_);
        const std::uint32_t threshold = dropout_threshold(rate_), stream = stream_;
        for (std::int64_t i = begin; i < end; ++i) {
            const bool keep = dropout_hash(state.seed, state.step, stream, static_cast<std::uint32_t>(i)) >= threshold;
            // A branch would prevent vectorisation.
            const std::uint32_t all_bits = 0u - static_cast<std::uint32_t>(keep);
            put(y[i], std::bit_cast<float>(std::bit_cast<std::uint32_t>(x[i] * factor) & all_bits));
        }
    }

    float rate_;
    std::uint32_t stream_;
};

}  // namespace

OpPtr add() { return std::make_shared<Add>(); }
OpPtr multiply() { return std::make_shared<Multiply>(); }
OpPtr scale(float factor) { return std::make_shared<Scale>(factor); }
OpPtr dropout(float rate, std::uint32_t stream) {
    if (!(rate >= 0.0f && rate < 1.0f))
        throw Error("dropout: the rate must be at least 0 and below 1, not {1}", format_number(rate));
    return std::make_shared<Dropout>(rate, stream);
}

}  // namespace glassformer::ops
