#include <cmath>
#include <limits>

#include "core/base/filled.h"
#include "core/base/mark_text.h"
#include "core/ops/attention.h"
#include "core/ops/elementary.h"
#include "core/ops/ops.h"

namespace glassformer::ops {

namespace {

using namespace kernel;

/// x − max. A row that is entirely hidden has no largest score, so nothing is subtracted.
void below_largest(const float* x, float* y, std::int64_t width) {
    const ConstArrayMap row(x, width);
    const float top = row.maxCoeff();
    ArrayMap(y, width) = row - (std::isinf(top) ? 0.0f : top);
}

void exponentials(float* y, std::int64_t cells) {
    for_lanes(0, cells, [&](std::int64_t i, std::int64_t count) {
        store_floats(y + i, exp_of(load_floats(y + i, count)), count);
    });
}

/// A row that is entirely hidden becomes zeros.
void divide_by_sum(float* y, std::int64_t width) {
    ArrayMap row(y, width);
    const float sum = row.sum();
    row *= sum > 0.0f ? 1.0f / sum : 0.0f;
}

// e^(x − max) / Σ e^(x − max), row by row. The exponentials are computed over all rows of the piece at once, because
// rows may be short.
void softmax_rows(const float* x, float* y, std::int64_t rows, std::int64_t width) {
    for (std::int64_t r = 0; r < rows; ++r) below_largest(x + r * width, y + r * width, width);
    exponentials(y, rows * width);
    for (std::int64_t r = 0; r < rows; ++r) divide_by_sum(y + r * width, width);
}

/// Turns scores into weights, row by row.
class Weights : public ScoreStep {
public:
    OpTraits traits() const override { return {.role = OpRole::attention_weights}; }

    Shape infer_shape(std::span<const Shape> in) const override {
        if (in.size() != 1 || in[0].rank() < 1 || in[0].back() < 1) shape_error(*this, "expected x [.., D]", in);
        return in[0];
    }

    bool by_slices(const Shape& output) const override { return output.rank() >= 3; }
    Reads reads(int /*input*/) const override { return Reads::slice; }
    bool backward_reads_input(int) const override { return false; }
};

class Softmax final : public Weights {
public:
    std::string_view name() const override { return "softmax"; }

    void forward(const ForwardArgs& a) const override {
        const std::int64_t width = a.output.shape.back();
        for_ranges(
            a.pool, a.output.shape.elements() / width, row_grain(8 * width), [&](std::int64_t begin, std::int64_t end) {
                softmax_rows(a.inputs[0].data + begin * width, a.output.data + begin * width, end - begin, width);
            });
    }

    // The missing cells of a row are hidden. The sum is taken over the whole row, as in forward().
    void change(const ScoreRows& s) const override {
        for (std::int64_t r = 0; r < s.rows; ++r) {
            below_largest(s.row(r), s.row(r), s.width);
            exponentials(s.row(r), s.width);
            std::fill(s.row(r) + s.width, s.row(r) + s.keys, 0.0f);
            divide_by_sum(s.row(r), s.keys);
        }
    }

    // dx = y ∘ (dy − Σ dy∘y)
    void backward(const BackwardArgs& a) const override {
        const GradientSlot dx = a.input_gradients[0];
        if (!dx.data) return;
        const std::int64_t width = a.output.shape.back();
        for_each_in(a.pool, a.output.shape.elements() / width, row_grain(4 * width), [&](std::int64_t r) {
            const ConstArrayMap y(a.output.data + r * width, width), dy(a.output_gradient.data + r * width, width);
            const float inner = (dy * y).sum();
            store(ArrayMap(dx.data + r * width, width), y * (dy - inner), dx.accumulate);
        });
    }

    bool in_place(int input) const override { return input == 0; }

    OpExplanation explain(const ExplainArgs& a) const override {
        const std::int64_t width = a.output_shape.back(), row = a.offset / width * width;
        double top = -std::numeric_limits<double>::infinity();
        for (std::int64_t i = 0; i < width; ++i) top = std::max(top, static_cast<double>(a.inputs[0].data[row + i]));
        OpExplanation e{"e^(s − max) / Σ e^(s − max)",
                        "",
                        N_("e^(s − max) of every word"),
                        {},
                        0.0,
                        {.kind = TermKind::share, .symbol = "e^(s − max)", .numbers_say_formula = true}};
        if (std::isinf(top)) return e;
        double sum = 0.0;
        for (std::int64_t i = 0; i < width; ++i) {
            const double s = a.inputs[0].data[row + i];
            e.terms.push_back({{{0, row + i, s}}, std::exp(s - top)});
            sum += e.terms.back().contribution;
        }
        const double score = a.inputs[0].data[a.offset];
        e.reading.main_term = static_cast<int>(a.offset - row);
        const double own = std::exp(score - top);
        const std::string largest = format_number(top);
        e.value = own / sum;
        e.numbers = "e^(" + format_number(score) + " − " + largest + ") / Σ e^(s − " + largest +
                    ") = " + format_number(own) + " / " + format_number(sum);
        return e;
    }

    bool backward_reads_output() const override { return true; }
};

constexpr std::int64_t nothing = -1;

/// Index of the largest cell, the first one on a tie; `nothing` if all are −∞.
std::int64_t largest(const float* x, std::int64_t width) {
    std::int64_t at = nothing;
    float top = -std::numeric_limits<float>::infinity();
    for (std::int64_t i = 0; i < width; ++i)
        if (x[i] > top) top = x[at = i];
    return at;
}

class Hardmax final : public Weights {
public:
    std::string_view name() const override { return "hardmax"; }

    void forward(const ForwardArgs& a) const override {
        const std::int64_t width = a.output.shape.back();
        for_each_in(a.pool, a.output.shape.elements() / width, row_grain(2 * width), [&](std::int64_t r) {
            choose(largest(a.inputs[0].data + r * width, width), a.output.data + r * width, width);
        });
    }

    void change(const ScoreRows& s) const override {
        for (std::int64_t r = 0; r < s.rows; ++r) choose(largest(s.row(r), s.width), s.row(r), s.keys);
    }

    void backward(const BackwardArgs&) const override {}

    OpExplanation explain(const ExplainArgs& a) const override {
        const std::int64_t width = a.output_shape.back(), row = a.offset / width * width;
        const std::int64_t at = largest(a.inputs[0].data + row, width);
        const bool wins = at != nothing && row + at == a.offset;
        const double own = a.inputs[0].data[a.offset];
        OpExplanation e{
            N_("1 at the largest score, 0 elsewhere"), "", N_("the scores that are compared"), {}, wins ? 1.0 : 0.0};
        for (std::int64_t i = row; i < row + width; ++i)
            e.terms.push_back({{{0, i, a.inputs[0].data[i]}}, i == a.offset ? e.value : 0.0});
        e.reading.main_term = static_cast<int>(a.offset - row);
        e.numbers = at == nothing ? N_("every score is −∞")
                    : wins        ? filled_with(N_("{1} is the largest"), format_number(own))
                                  : filled_with(N_("{1}; the largest is {2}"), format_number(own),
                                                format_number(a.inputs[0].data[row + at]));
        return e;
    }

    bool has_gradient(int) const override { return false; }

private:
    static void choose(std::int64_t at, float* y, std::int64_t width) {
        std::fill_n(y, width, 0.0f);
        if (at != nothing) y[at] = 1.0f;
    }
};

}  // namespace

OpPtr softmax() { return std::make_shared<Softmax>(); }
OpPtr hardmax() { return std::make_shared<Hardmax>(); }

}  // namespace glassformer::ops
