#include <cmath>
#include <cstdlib>

#include "core/base/mark_text.h"
#include "core/ops/attention.h"
#include "core/ops/ops.h"

namespace glassformer::ops {

namespace {

using namespace kernel;

double slope(std::int64_t head, std::int64_t heads) {
    return std::exp2(-8.0 * static_cast<double>(head + 1) / static_cast<double>(heads));
}

class Alibi final : public ScoreStep {
public:
    /// For scores whose first head is head `first` of `heads`; 0: they have all the heads.
    explicit Alibi(std::int64_t first = 0, std::int64_t heads = 0) : first_(first), heads_(heads) {}

    std::string_view name() const override { return "alibi"; }
    OpTraits traits() const override {
        return {.role = OpRole::attention_step, .title = N_("distance penalty"), .step = "distance"};
    }

    Shape infer_shape(std::span<const Shape> in) const override {
        const bool at_position = in.size() == 2 && in[0].rank() == 4 && in[0][2] == 1 && in[1] == Shape{1};
        if (!at_position && (in.size() != 1 || in[0].rank() != 4))
            shape_error(*this, "expected scores [B, H, P_q, P_k], or scores [B, H, 1, P_k] and position [1]", in);
        return in[0];
    }

    void forward(const ForwardArgs& a) const override {
        const std::int64_t heads = a.output.shape[1], queries = a.output.shape[2], keys = a.output.shape[3];
        for_ranges(a.pool, a.output.shape[0] * heads * queries, row_grain(2 * keys),
                   [&](std::int64_t begin, std::int64_t end) {
                       for (std::int64_t r = begin; r < end; ++r)
                           subtract(a.inputs[0].data + r * keys, a.output.data + r * keys, keys,
                                    slope_of(r / queries % heads, heads),
                                    own_key_of(a.inputs, r % queries, queries, keys));
                   });
    }

    void change(const ScoreRows& s) const override {
        const double m = slope_of(s.head, s.heads);
        for (std::int64_t r = 0; r < s.rows; ++r) {
            const std::int64_t own_key =
                s.second ? static_cast<std::int64_t>(s.second[0]) : s.first + r + s.keys - s.queries;
            subtract(s.row(r), s.row(r), s.width, m, own_key);
        }
    }

    // What is subtracted does not depend on the scores.
    void backward(const BackwardArgs& a) const override {
        const GradientSlot dx = a.input_gradients[0];
        if (!dx.data) return;
        for_ranges(a.pool, a.output_gradient.shape.elements(), element_grain,
                   [&](std::int64_t begin, std::int64_t end) {
                       store(ArrayMap(dx.data + begin, end - begin),
                             ConstArrayMap(a.output_gradient.data + begin, end - begin), dx.accumulate);
                   });
    }

    bool by_slices(const Shape& output) const override { return output.rank() >= 3; }
    Reads reads(int input) const override { return input == 0 ? Reads::slice : Reads::all; }
    OpPtr for_slice(std::int64_t first, const Shape& output) const override {
        return std::make_shared<Alibi>(first, output[1]);
    }

    bool has_gradient(int input) const override { return input == 0; }
    bool propagates_nonfinite(int input) const override { return input == 0; }

    OpExplanation explain(const ExplainArgs& a) const override {
        const Index at = index_of(a.output_shape, a.offset);
        const std::int64_t distance =
            std::abs(at[3] - own_key_of(a.inputs, at[2], a.output_shape[2], a.output_shape[3]));
        const double x = a.inputs[0].data[a.offset], m = slope_of(at[1], a.output_shape[1]),
                     penalty = m * static_cast<double>(distance);
        OpExplanation e{N_("score − slope · |key − query|"),
                        format_number(x) + " − " + format_number(m) + " · " + std::to_string(distance),
                        N_("the score; then the distance penalty"),
                        {},
                        x - penalty,
                        {.main_term = 0}};
        e.terms.push_back({{{0, a.offset, x}}, x});
        e.terms.push_back({{}, -penalty});
        return e;
    }

    bool backward_reads_input(int) const override { return false; }

private:
    static void subtract(const float* x, float* y, std::int64_t keys, double slope, std::int64_t own_key) {
        const auto m = static_cast<float>(slope);
        for (std::int64_t k = 0; k < keys; ++k) y[k] = x[k] - m * static_cast<float>(std::abs(k - own_key));
    }

    /// The key that is the query's own word.
    static std::int64_t own_key_of(std::span<const ConstView> inputs, std::int64_t query, std::int64_t queries,
                                   std::int64_t keys) {
        return inputs.size() > 1 ? static_cast<std::int64_t>(inputs[1].data[0]) : query + keys - queries;
    }

    double slope_of(std::int64_t head, std::int64_t heads) const {
        return slope(first_ + head, heads_ > 0 ? heads_ : heads);
    }

    std::int64_t first_, heads_;
};

}  // namespace

OpPtr alibi() { return std::make_shared<Alibi>(); }

}  // namespace glassformer::ops
