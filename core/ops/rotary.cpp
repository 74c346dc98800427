#include "core/ops/rotary.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "core/base/error.h"
#include "core/base/mark_text.h"
#include "core/ops/kernel.h"
#include "core/ops/ops.h"

namespace glassformer::kernel {

namespace {

/// Number of pairs whose angles are kept while every sentence and head at a position is rotated.
constexpr std::int64_t pairs_at_hand = 32;

/// The angles of some pairs at one position.
struct Angles {
    std::array<float, pairs_at_hand> cosine, sine;
};

/// The angles at position p of pairs that rotate by `step` per position. Computed in double: in float, rounding p ·
/// step would matter at large p.
Angles angles_at(std::int64_t p, std::span<const double> step) {
    Angles angles;
    for (std::size_t i = 0; i < step.size(); ++i) {
        angles.cosine[i] = static_cast<float>(std::cos(static_cast<double>(p) * step[i]));
        angles.sine[i] = static_cast<float>(std::sin(static_cast<double>(p) * step[i]));
    }
    return angles;
}

/// y (+)= the pairs (2i, 2i + 1) of x, each rotated by its angle.
void turn_neighbours(const float* x, float* y, std::int64_t pairs, const Angles& angles, bool accumulate) {
    const float *cosine = angles.cosine.data(), *sine = angles.sine.data();
    for (std::int64_t i = 0; i < pairs; ++i) {
        const float even = x[2 * i] * cosine[i] - x[2 * i + 1] * sine[i],
                    odd = x[2 * i] * sine[i] + x[2 * i + 1] * cosine[i];
        y[2 * i] = accumulate ? y[2 * i] + even : even;
        y[2 * i + 1] = accumulate ? y[2 * i + 1] + odd : odd;
    }
}

/// The same with the second feature of each pair `apart` cells after the first.
void turn_halves(const float* x, float* y, std::int64_t pairs, std::int64_t apart, const Angles& angles,
                 bool accumulate) {
    const float *cosine = angles.cosine.data(), *sine = angles.sine.data();
    for (std::int64_t i = 0; i < pairs; ++i) {
        const float even = x[i] * cosine[i] - x[i + apart] * sine[i], odd = x[i] * sine[i] + x[i + apart] * cosine[i];
        y[i] = accumulate ? y[i] + even : even;
        y[i + apart] = accumulate ? y[i + apart] + odd : odd;
    }
}

/// Llama 3.1: a pair that rotates often within the original length is unchanged, one that rotates seldom is slowed.
double llama3_turn(double turn, const RotaryOptions& o) {
    const double times = o.original_length * turn / (2.0 * std::numbers::pi), low = o.low_frequency_factor,
                 high = o.high_frequency_factor, slowed = turn / static_cast<double>(o.factor);
    if (times > high) return turn;
    if (times < low) return slowed;
    const double share = (times - low) / (high - low);
    return (1.0 - share) * slowed + share * turn;
}

}  // namespace

double Rotation::turn_per_position(std::int64_t pair) const {
    const double turn =
        std::pow(static_cast<double>(options.base), -static_cast<double>(2 * pair) / static_cast<double>(dims));
    if (options.scaling == RotaryScaling::linear) return turn / static_cast<double>(options.factor);
    return options.scaling == RotaryScaling::llama3 ? llama3_turn(turn, options) : turn;
}

// Each piece of work owns some positions.
void Rotation::apply(ThreadPool& pool, const Shape& shape, const float* x, const GradientSlot& y,
                     std::int64_t first_position, double direction) const {
    const std::int64_t rows = shape[0] * shape[2], width = shape[3];
    for_ranges(pool, shape[1], row_grain((2 * rows + 64) * dims), [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t first = 0; first < dims / 2; first += pairs_at_hand) {
            const std::int64_t pairs = std::min(pairs_at_hand, dims / 2 - first);
            std::array<double, pairs_at_hand> step;
            for (std::int64_t i = 0; i < pairs; ++i) step[i] = direction * turn_per_position(first + i);
            for (std::int64_t p = begin; p < end; ++p) {
                const Angles angles = angles_at(first_position + p, {step.data(), static_cast<std::size_t>(pairs)});
                for (std::int64_t b = 0; b < shape[0]; ++b)
                    for (std::int64_t h = 0; h < shape[2]; ++h) {
                        const std::int64_t cell = offset_of(shape, {b, p, h, even(first)});
                        if (options.halves)
                            turn_halves(x + cell, y.data + cell, pairs, dims / 2, angles, y.accumulate);
                        else
                            turn_neighbours(x + cell, y.data + cell, pairs, angles, y.accumulate);
                    }
            }
        }
    });
    const std::int64_t rest = width - dims;
    if (rest == 0) return;
    for_each_in(pool, shape.elements() / width, row_grain(rest), [&](std::int64_t r) {
        store(ArrayMap(y.data + r * width + dims, rest), ConstArrayMap(x + r * width + dims, rest), y.accumulate);
    });
}

Rotation rotation_of(const Op& rotary, std::int64_t width) {
    const auto number = [&](std::string_view name) { return static_cast<float>(attribute(rotary, name)); };
    const auto dims = static_cast<std::int64_t>(attribute(rotary, "dims"));
    return {{number("base"), number("halves") != 0.0f,
             static_cast<RotaryScaling>(static_cast<int>(attribute(rotary, "scaling"))), number("factor"),
             number("low_frequency_factor"), number("high_frequency_factor"),
             static_cast<int>(attribute(rotary, "original_length"))},
            dims > 0 ? dims : width};
}

}  // namespace glassformer::kernel

namespace glassformer::ops {

namespace {

using namespace kernel;

class Rotary final : public Op {
public:
    Rotary(const RotaryOptions& options, std::int64_t dims, std::int64_t positions)
        : options_(options), dims_(dims), positions_(positions) {}

    std::string_view name() const override { return "rotary"; }
    OpTraits traits() const override {
        return {.role = OpRole::attention_step, .title = N_("rotated by its position")};
    }
    std::vector<OpAttribute> attributes() const override {
        return {{"base", static_cast<double>(options_.base)},
                {"halves", options_.halves ? 1.0 : 0.0},
                {"scaling", static_cast<double>(options_.scaling)},
                {"factor", static_cast<double>(options_.factor)},
                {"low_frequency_factor", static_cast<double>(options_.low_frequency_factor)},
                {"high_frequency_factor", static_cast<double>(options_.high_frequency_factor)},
                {"original_length", static_cast<double>(options_.original_length)},
                {"dims", static_cast<double>(dims_)},
                {"positions", static_cast<double>(positions_)}};
    }

    Shape infer_shape(std::span<const Shape> in) const override {
        const bool one = positions_ == 0 && in.size() == 1, at_position = positions_ > 0 && in.size() == 2;
        if ((!one && !at_position) || in[0].rank() != 4 || (at_position && in[1] != Shape{1}))
            shape_error(*this,
                        positions_ > 0 ? N_("expected x [B, P, H, D] and position [1]") : N_("expected x [B, P, H, D]"),
                        in);
        if (dims_ == 0 && in[0][3] % 2 != 0) shape_error(*this, "expected x [B, P, H, D] with an even D", in);
        if (in[0][3] < dims_)
            shape_error(*this, filled_with(N_("expected x [B, P, H, D] with a D of at least {1}"), dims_), in);
        return in[0];
    }

    void forward(const ForwardArgs& a) const override {
        of(a.output.shape)
            .apply(a.pool, a.output.shape, a.inputs[0].data, {a.output.data, false}, first(a.inputs), 1.0);
    }

    // A rotation preserves lengths, so its transpose, which backward needs, is the opposite rotation. Features that are
    // not rotated pass through.
    void backward(const BackwardArgs& a) const override {
        const Shape& shape = a.output_gradient.shape;
        if (a.input_gradients[0].data)
            of(shape).apply(a.pool, shape, a.output_gradient.data, a.input_gradients[0], first(a.inputs), -1.0);
    }

    OpExplanation explain(const ExplainArgs& a) const override {
        const Index at = index_of(a.output_shape, a.offset);
        const Rotation rotation = of(a.output_shape);
        return at[3] < rotation.dims ? explain_turned(a, at, rotation) : explain_passed(a);
    }

    bool has_gradient(int input) const override { return input == 0; }
    bool propagates_nonfinite(int input) const override { return input == 0; }
    bool backward_reads_input(int input) const override { return input == 1; }

private:
    Rotation of(const Shape& shape) const { return {options_, dims_ > 0 ? dims_ : shape[3]}; }

    static std::int64_t first(std::span<const ConstView> inputs) {
        return inputs.size() > 1 ? static_cast<std::int64_t>(inputs[1].data[0]) : 0;
    }

    OpExplanation explain_turned(const ExplainArgs& a, const Index& at, const Rotation& rotation) const {
        const std::int64_t half = rotation.dims / 2, pair = options_.halves ? at[3] % half : at[3] / 2;
        const std::int64_t head = a.offset - at[3], even = head + rotation.even(pair), odd = head + rotation.odd(pair);
        const bool is_even = a.offset == even;
        const double angle = static_cast<double>(at[1] + first(a.inputs)) * rotation.turn_per_position(pair);
        const double x = a.inputs[0].data[even], y = a.inputs[0].data[odd];
        const double part_x = x * (is_even ? std::cos(angle) : std::sin(angle)),
                     part_y = y * (is_even ? -std::sin(angle) : std::cos(angle));
        const std::string theta = format_number(angle), width = dims_ > 0 ? std::to_string(dims_) : "D";
        const std::string one = options_.halves ? "x_first" : "x_even", other = options_.halves ? "x_second" : "x_odd";
        const std::string turn = options_.scaling == RotaryScaling::none ? ", θ = p · base^(−2i/" + width + ")"
                                 : options_.scaling == RotaryScaling::linear
                                     ? ", θ = p / factor · base^(−2i/" + width + ")"
                                     : ", θ = p · base^(−2i/" + width + "), slow pairs slowed by the factor";
        return {(is_even ? one + " · cos θ − " + other + " · sin θ" : one + " · sin θ + " + other + " · cos θ") + turn,
                format_number(x) + (is_even ? " · cos " : " · sin ") + theta + (is_even ? " − " : " + ") +
                    format_number(y) + (is_even ? " · sin " : " · cos ") + theta,
                N_("the two cells of the pair"),
                {Term{{{0, even, x}}, part_x}, Term{{{0, odd, y}}, part_y}},
                part_x + part_y};
    }

    OpExplanation explain_passed(const ExplainArgs& a) const {
        const double x = a.inputs[0].data[a.offset];
        return {filled_with(N_("x: features from {1} on are not rotated"), dims_),
                format_number(x),
                N_("the cell itself"),
                {Term{{{0, a.offset, x}}, x}},
                x};
    }

    RotaryOptions options_;
    std::int64_t dims_, positions_;
};

void require_positive(const char* pattern, float value) {
    if (!(value > 0.0f) || !std::isfinite(value)) throw Error(pattern, format_number(static_cast<double>(value)));
}

}  // namespace

OpPtr rotary(const RotaryOptions& options, std::int64_t dims, std::int64_t positions) {
    require_positive(N_("rotary: the base must be a positive number, not {1}"), options.base);
    require_positive(N_("rotary: the factor must be a positive number, not {1}"), options.factor);
    if (dims < 0 || dims % 2 != 0)
        throw Error("rotary: features are rotated in pairs, so dims must be even and at least 2, not {1}", dims);
    return std::make_shared<Rotary>(options, dims, positions);
}

}  // namespace glassformer::ops
