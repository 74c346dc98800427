#include <limits>

#include "core/base/filled.h"
#include "core/base/mark_text.h"
#include "core/ops/attention.h"
#include "core/ops/ops.h"

namespace glassformer::ops {

namespace {

using namespace kernel;

constexpr std::int64_t nothing = -1;

/// The first of the largest cells; `nothing` where all are −∞.
std::int64_t largest(const float* x, std::int64_t width) {
    std::int64_t at = nothing;
    float top = -std::numeric_limits<float>::infinity();
    for (std::int64_t i = 0; i < width; ++i)
        if (x[i] > top) top = x[at = i];
    return at;
}

class Hardmax final : public ScoreStep {
public:
    std::string_view name() const override { return "hardmax"; }
    OpTraits traits() const override { return {.role = OpRole::attention_weights}; }

    Shape infer_shape(std::span<const Shape> in) const override {
        if (in.size() != 1 || in[0].rank() < 1 || in[0].back() < 1) shape_error(*this, "expected x [.., D]", in);
        return in[0];
    }

    void forward(const ForwardArgs& a) const override {
        const std::int64_t width = a.output.shape.back();
        for_ranges(a.pool, a.output.shape.elements() / width, row_grain(2 * width),
                   [&](std::int64_t begin, std::int64_t end) {
                       for (std::int64_t r = begin; r < end; ++r)
                           choose(largest(a.inputs[0].data + r * width, width), a.output.data + r * width, width);
                   });
    }

    void change(const ScoreRows& s) const override {
        for (std::int64_t r = 0; r < s.rows; ++r) choose(largest(s.row(r), s.width), s.row(r), s.keys);
    }

    void backward(const BackwardArgs&) const override {}

    bool by_slices(const Shape& output) const override { return output.rank() >= 3; }
    Reads reads(int /*input*/) const override { return Reads::slice; }

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
    bool backward_reads_input(int) const override { return false; }

private:
    static void choose(std::int64_t at, float* y, std::int64_t width) {
        std::fill_n(y, width, 0.0f);
        if (at != nothing) y[at] = 1.0f;
    }
};

}  // namespace

OpPtr hardmax() { return std::make_shared<Hardmax>(); }

}  // namespace glassformer::ops
