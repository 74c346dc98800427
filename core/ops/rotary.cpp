#include "core/ops/rotary.h"

#include <array>
#include <cmath>

#include "core/base/error.h"
#include "core/base/mark_text.h"
#include "core/ops/kernel.h"
#include "core/ops/ops.h"

namespace glassformer::kernel {

namespace {

/// Pairs whose angles are kept at hand while every sentence and head at a position is turned.
constexpr std::int64_t pairs_at_hand = 32;

/// The angles of some pairs at one position.
struct Angles {
    std::array<float, pairs_at_hand> cosine, sine;
};

/// At position p, pairs that turn by `step` from one position to the next. Taken in double: in float the rounding of
/// p · step would be felt at large p.
Angles angles_at(std::int64_t p, std::span<const double> step) {
    Angles angles;
    for (std::size_t i = 0; i < step.size(); ++i) {
        angles.cosine[i] = static_cast<float>(std::cos(static_cast<double>(p) * step[i]));
        angles.sine[i] = static_cast<float>(std::sin(static_cast<double>(p) * step[i]));
    }
    return angles;
}

/// y (+)= the pairs of x, each turned by its angle.
void turn_pairs(const float* x, float* y, std::int64_t pairs, const Angles& angles, bool accumulate) {
    const float *cosine = angles.cosine.data(), *sine = angles.sine.data();
    for (std::int64_t i = 0; i < pairs; ++i) {
        const float even = x[2 * i] * cosine[i] - x[2 * i + 1] * sine[i],
                    odd = x[2 * i] * sine[i] + x[2 * i + 1] * cosine[i];
        y[2 * i] = accumulate ? y[2 * i] + even : even;
        y[2 * i + 1] = accumulate ? y[2 * i + 1] + odd : odd;
    }
}

// Some pairs, from `first` on, of every sentence and head at position p.
void turn_position(const Shape& shape, const float* x, GradientSlot y, std::int64_t p, std::int64_t first,
                   std::span<const double> step) {
    const Angles angles = angles_at(p, step);
    for (std::int64_t b = 0; b < shape[0]; ++b)
        for (std::int64_t h = 0; h < shape[2]; ++h) {
            const std::int64_t cell = offset_of(shape, {b, p, h, 2 * first});
            turn_pairs(x + cell, y.data + cell, static_cast<std::int64_t>(step.size()), angles, y.accumulate);
        }
}

}  // namespace

double Rotation::turn_per_position(std::int64_t pair) const {
    return std::pow(base, -static_cast<double>(2 * pair) / static_cast<double>(dims));
}

// A piece of work owns some positions.
void Rotation::turn(ThreadPool& pool, const Shape& shape, const float* x, const GradientSlot& y,
                    double direction) const {
    const std::int64_t rows = shape[0] * shape[2];
    for_ranges(pool, shape[1], row_grain((2 * rows + 64) * dims), [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t first = 0; first < dims / 2; first += pairs_at_hand) {
            const std::int64_t pairs = std::min(pairs_at_hand, dims / 2 - first);
            std::array<double, pairs_at_hand> step;
            for (std::int64_t i = 0; i < pairs; ++i)
                step[static_cast<std::size_t>(i)] = direction * turn_per_position(first + i);
            for (std::int64_t p = begin; p < end; ++p)
                turn_position(shape, x, y, p, first, {step.data(), static_cast<std::size_t>(pairs)});
        }
    });
}

OpExplanation Rotation::explain(const ExplainArgs& a, const std::string& width) const {
    const Index at = index_of(a.output_shape, a.offset);
    const std::int64_t even = a.offset - at[3] % 2, odd = even + 1;
    const bool first = a.offset == even;
    const double angle = static_cast<double>(at[1]) * turn_per_position(at[3] / 2);
    const double x = a.inputs[0].data[even], y = a.inputs[0].data[odd];
    const double part_x = x * (first ? std::cos(angle) : std::sin(angle)),
                 part_y = y * (first ? -std::sin(angle) : std::cos(angle));
    const std::string theta = format_number(angle);
    OpExplanation e{(first ? "x_even · cos θ − x_odd · sin θ, θ = p · base^(−2i/"
                           : "x_even · sin θ + x_odd · cos θ, θ = p · base^(−2i/") +
                        width + ")",
                    format_number(x) + (first ? " · cos " : " · sin ") + theta + (first ? " − " : " + ") +
                        format_number(y) + (first ? " · sin " : " · cos ") + theta,
                    N_("the two cells of the pair"),
                    {},
                    part_x + part_y};
    e.terms.push_back({{{0, even, x}}, part_x});
    e.terms.push_back({{{0, odd, y}}, part_y});
    return e;
}

void require_base(std::string_view op, float base) {
    if (!(base > 0.0f) || !std::isfinite(base))
        throw Error(std::string(op) + ": the base must be a positive number, not " + format_number(base));
}

}  // namespace glassformer::kernel

namespace glassformer::ops {

namespace {

using kernel::Rotation;

class Rotary final : public Op {
public:
    explicit Rotary(float base) : base_(base) {}

    std::string_view name() const override { return "rotary"; }
    OpTraits traits() const override {
        return {.role = OpRole::attention_step, .title = N_("rotated by its position")};
    }
    std::vector<OpAttribute> attributes() const override { return {{"base", base_}}; }

    Shape infer_shape(std::span<const Shape> in) const override {
        if (in.size() != 1 || in[0].rank() != 4 || in[0][3] % 2 != 0)
            shape_error(*this, "expected x [B, P, H, D] with an even D", in);
        return in[0];
    }

    void forward(const ForwardArgs& a) const override {
        of(a.output.shape).turn(a.pool, a.output.shape, a.inputs[0].data, {a.output.data, false}, 1.0);
    }

    // A rotation keeps lengths, so its transpose, which backward needs, is the rotation the other way.
    void backward(const BackwardArgs& a) const override {
        const Shape& shape = a.output_gradient.shape;
        if (a.input_gradients[0].data)
            of(shape).turn(a.pool, shape, a.output_gradient.data, a.input_gradients[0], -1.0);
    }

    OpExplanation explain(const ExplainArgs& a) const override { return of(a.output_shape).explain(a, "D"); }

    bool propagates_nonfinite(int /*input*/) const override { return true; }
    bool backward_reads_input(int) const override { return false; }

private:
    Rotation of(const Shape& shape) const { return {base_, shape[3]}; }

    double base_;
};

}  // namespace

OpPtr rotary(float base) {
    kernel::require_base("rotary", base);
    return std::make_shared<Rotary>(base);
}

}  // namespace glassformer::ops
