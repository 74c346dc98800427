#include <bit>

#include "core/base/error.h"
#include "core/base/mark_text.h"
#include "core/ops/dropout_hash.h"
#include "core/ops/kernel.h"
#include "core/ops/ops.h"

namespace glassformer::ops {

namespace {

using namespace kernel;

/// What input 1 says.
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

    // The cells that were dropped are decided again, not remembered.
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
            // A branch would keep the compiler from taking whole registers.
            const std::uint32_t all_bits = 0u - static_cast<std::uint32_t>(keep);
            put(y[i], std::bit_cast<float>(std::bit_cast<std::uint32_t>(x[i] * factor) & all_bits));
        }
    }

    float rate_;
    std::uint32_t stream_;
};

}  // namespace

OpPtr dropout(float rate, std::uint32_t stream) {
    if (!(rate >= 0.0f && rate < 1.0f))
        throw Error("dropout: the rate must be at least 0 and below 1, not {1}", format_number(rate));
    return std::make_shared<Dropout>(rate, stream);
}

}  // namespace glassformer::ops
