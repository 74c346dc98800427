#include <array>
#include <cmath>

#include "core/base/mark_text.h"
#include "core/ops/kernel.h"
#include "core/ops/ops.h"

namespace glassformer::ops {

namespace {

using namespace kernel;

// Every feature has its own statistics, so work is split into strips of features: one cache line of each word.
constexpr std::int64_t strip_width = 16;
using Sums = std::array<double, strip_width>;

template <class Body>
void for_strips(ThreadPool& pool, std::int64_t width, const Body& body) {
    const Pieces strips(width, strip_width);
    pool.run(strips.count, [&](std::int64_t i) { body(strips[i].begin, strips[i].count); });
}

std::int64_t words_of(const ConstView& keep) {
    const std::int64_t cells = keep.shape.elements();
    return cells - std::count(keep.data, keep.data + cells, 0.0f);
}

bool training(const ConstView& state) { return state.data[0] != 0.0f; }

bool fits(const Shape& x, const Shape& key_mask) { return x.rank() == 3 && key_mask == Shape{x[0], x[1]}; }

/// Σ of(x, feature) / n over the n words, for every feature; 0 if there is no word.
template <class Of>
void average(const ForwardArgs& a, const Of& of) {
    const std::int64_t width = a.inputs[0].shape[2], rows = a.inputs[1].shape.elements(), words = words_of(a.inputs[1]);
    for_strips(a.pool, width, [&](std::int64_t begin, std::int64_t count) {
        Sums sums{};
        for (std::int64_t r = 0; r < rows; ++r) {
            if (a.inputs[1].data[r] == 0.0f) continue;
            const float* x = a.inputs[0].data + r * width + begin;
            for (std::int64_t c = 0; c < count; ++c) sums[c] += of(static_cast<double>(x[c]), begin + c);
        }
        for (std::int64_t c = 0; c < count; ++c)
            a.output.data[begin + c] = words > 0 ? static_cast<float>(sums[c] / static_cast<double>(words)) : 0.0f;
    });
}

/// The same for one feature, with its terms: term_of(cell, x) is a term before division by n.
template <class TermOf>
void add_average(const ExplainArgs& a, OpExplanation& e, const TermOf& term_of) {
    const std::int64_t width = a.inputs[0].shape[2], rows = a.inputs[1].shape.elements(), words = words_of(a.inputs[1]);
    double sum = 0.0;
    for (std::int64_t r = 0; r < rows; ++r) {
        if (a.inputs[1].data[r] == 0.0f) continue;
        const std::int64_t cell = r * width + a.offset;
        e.terms.push_back(term_of(cell, static_cast<double>(a.inputs[0].data[cell])));
        sum += e.terms.back().contribution;
        e.terms.back().contribution /= static_cast<double>(words);
    }
    if (words > 0) e.value = sum / static_cast<double>(words);
    e.numbers = words > 0 ? format_number(sum) + " / " + std::to_string(words) : N_("there is no word");
}

// μ = Σ x / n over the n words. Its gradient reaches x through batch_norm_normalize, which knows both statistics, so
// none flows here.
class Mean final : public OpWithoutGradient {
public:
    std::string_view name() const override { return "batch_norm_mean"; }
    OpTraits traits() const override {
        return {.role = OpRole::norm_statistic, .title = N_("mean"), .family = N_("batch norm"), .drops_batch = true};
    }

    Shape infer_shape(std::span<const Shape> in) const override {
        if (in.size() != 2 || !fits(in[0], in[1])) shape_error(*this, "expected x [B, P, D] and key_mask [B, P]", in);
        return Shape{in[0][2]};
    }

    void forward(const ForwardArgs& a) const override {
        average(a, [](double x, std::int64_t) { return x; });
    }

    OpExplanation explain(const ExplainArgs& a) const override {
        OpExplanation e{N_("μ = Σ x / n over the words"), "", N_("x / n, word by word"), {}, 0.0};
        add_average(a, e, [](std::int64_t cell, double x) { return Term{{{0, cell, x}}, x}; });
        return e;
    }
};

// σ² = Σ (x − μ)² / n over the words. As with μ, no gradient flows here.
class Variance final : public OpWithoutGradient {
public:
    std::string_view name() const override { return "batch_norm_variance"; }
    OpTraits traits() const override {
        return {
            .role = OpRole::norm_statistic, .title = N_("variance"), .family = N_("batch norm"), .drops_batch = true};
    }

    Shape infer_shape(std::span<const Shape> in) const override {
        if (in.size() != 3 || !fits(in[0], in[1]) || in[2] != Shape{in[0][2]})
            shape_error(*this, "expected x [B, P, D], key_mask [B, P] and mean [D]", in);
        return in[2];
    }

    void forward(const ForwardArgs& a) const override {
        const float* const mean = a.inputs[2].data;
        average(a, [mean](double x, std::int64_t feature) {
            const double deviation = x - static_cast<double>(mean[feature]);
            return deviation * deviation;
        });
    }

    OpExplanation explain(const ExplainArgs& a) const override {
        OpExplanation e{N_("σ² = Σ (x − μ)² / n over the words"),
                        "",
                        N_("(x − μ)² / n, word by word"),
                        {},
                        0.0,
                        {.join = TermJoin::difference}};
        const double mean = a.inputs[2].data[a.offset];
        add_average(a, e, [&](std::int64_t cell, double x) {
            return Term{{{0, cell, x}, {2, a.offset, mean}}, (x - mean) * (x - mean)};
        });
        return e;
    }
};

class Choose final : public OpWithoutGradient {
public:
    std::string_view name() const override { return "batch_norm_choose"; }
    OpTraits traits() const override {
        return {.role = OpRole::norm_statistic,
                .title = N_("batch or running"),
                .family = N_("batch norm"),
                .drops_batch = true};
    }

    Shape infer_shape(std::span<const Shape> in) const override {
        if (in.size() != 3 || in[0].rank() != 1 || in[1] != in[0] || in[2] != Shape{3})
            shape_error(*this, "expected batch [D], running [D] and state [3]", in);
        return in[0];
    }

    void forward(const ForwardArgs& a) const override {
        std::copy_n(a.inputs[training(a.inputs[2]) ? 0 : 1].data, a.output.shape.elements(), a.output.data);
    }

    OpExplanation explain(const ExplainArgs& a) const override {
        const bool batch = training(a.inputs[2]);
        const int chosen = batch ? 0 : 1;
        const double value = a.inputs[chosen].data[a.offset], state = a.inputs[2].data[0];
        return {N_("of the batch in training, else the running value"),
                batch ? N_("training: of the batch") : N_("not training: the running value"),
                N_("what is used, and whether this is training"),
                {Term{{{chosen, a.offset, value}, {2, 0, state}}, value}},
                value};
    }
};

class Normalize final : public Op {
public:
    explicit Normalize(float epsilon) : epsilon_(epsilon) {}

    std::string_view name() const override { return "batch_norm_normalize"; }
    OpTraits traits() const override {
        return {.role = OpRole::norm_normalize, .title = N_("normalize"), .family = N_("batch norm")};
    }
    std::vector<OpAttribute> attributes() const override { return {{"epsilon", static_cast<double>(epsilon_)}}; }

    Shape infer_shape(std::span<const Shape> in) const override {
        if (in.size() != 5 || !fits(in[0], in[1]) || in[2] != Shape{in[0][2]} || in[3] != in[2] || in[4] != Shape{3})
            shape_error(*this, "expected x [B, P, D], key_mask [B, P], mean [D], variance [D] and state [3]", in);
        return in[0];
    }

    // Padding is normalized like words.
    void forward(const ForwardArgs& a) const override {
        const std::int64_t width = a.output.shape[2], rows = a.inputs[1].shape.elements();
        for_strips(a.pool, width, [&](std::int64_t begin, std::int64_t count) {
            const float* mean = a.inputs[2].data + begin;
            const std::array<float, strip_width> factor = factors(a.inputs[3].data + begin, count);
            for (std::int64_t r = 0; r < rows; ++r) {
                const float* x = a.inputs[0].data + r * width + begin;
                float* y = a.output.data + r * width + begin;
                for (std::int64_t c = 0; c < count; ++c) y[c] = (x[c] - mean[c]) * factor[c];
            }
        });
    }

    // With s = √(σ² + ε), x̂ = (x − μ)/s and, in training, both statistics functions of the n words:
    //   dx = (dx̂ − (Σ dx̂ + x̂·Σ dx̂∘x̂) / n) / s  at a word;  dx = dx̂ / s  at padding, and outside training.
    // The sums include padding, because it is normalized with the same statistics.
    void backward(const BackwardArgs& a) const override {
        const GradientSlot dx = a.input_gradients[0];
        if (!dx.data) return;
        const std::int64_t width = a.output.shape[2], rows = a.inputs[1].shape.elements(),
                           words = training(a.inputs[4]) ? words_of(a.inputs[1]) : 0;
        for_strips(a.pool, width, [&](std::int64_t begin, std::int64_t count) {
            const std::array<float, strip_width> factor = factors(a.inputs[3].data + begin, count);
            std::array<float, strip_width> mean{}, inner{};
            if (words > 0) mean_gradients(a, begin, count, words, mean, inner);
            for (std::int64_t r = 0; r < rows; ++r) {
                const std::int64_t at = r * width + begin;
                const float *dy = a.output_gradient.data + at, *y = a.output.data + at;
                const float word = a.inputs[1].data[r] != 0.0f ? 1.0f : 0.0f;
                float* out = dx.data + at;
                for (std::int64_t c = 0; c < count; ++c) {
                    const float d = (dy[c] - word * (mean[c] + y[c] * inner[c])) * factor[c];
                    out[c] = dx.accumulate ? out[c] + d : d;
                }
            }
        });
    }

    OpExplanation explain(const ExplainArgs& a) const override {
        const std::int64_t feature = a.offset % a.output_shape[2];
        const double x = a.inputs[0].data[a.offset], mean = a.inputs[2].data[feature],
                     variance = a.inputs[3].data[feature], scale = std::sqrt(variance + static_cast<double>(epsilon_));
        return {"(x − μ) / √(σ² + ε)",
                "(" + format_number(x) + " − " + format_number(mean) + ") / " + format_number(scale),
                N_("x / √(σ² + ε), and −μ / √(σ² + ε)"),
                {Term{{{0, a.offset, x}, {3, feature, variance}}, x / scale},
                 Term{{{2, feature, mean}, {3, feature, variance}}, -mean / scale}},
                (x - mean) / scale,
                {.main_term = 0}};
    }

    bool has_gradient(int input) const override { return input == 0; }
    bool backward_reads_input(int input) const override { return input == 1 || input == 3 || input == 4; }
    bool backward_reads_output() const override { return true; }

private:
    std::array<float, strip_width> factors(const float* variance, std::int64_t count) const {
        std::array<float, strip_width> factor{};
        for (std::int64_t c = 0; c < count; ++c) factor[c] = 1.0f / std::sqrt(variance[c] + epsilon_);
        return factor;
    }

    /// Σ dx̂ / n and Σ dx̂∘x̂ / n for one strip.
    static void mean_gradients(const BackwardArgs& a, std::int64_t begin, std::int64_t count, std::int64_t words,
                               std::array<float, strip_width>& mean, std::array<float, strip_width>& inner) {
        const std::int64_t width = a.output.shape[2], rows = a.inputs[1].shape.elements();
        Sums sum{}, product{};
        for (std::int64_t r = 0; r < rows; ++r) {
            const float *dy = a.output_gradient.data + r * width + begin, *y = a.output.data + r * width + begin;
            for (std::int64_t c = 0; c < count; ++c) {
                sum[c] += static_cast<double>(dy[c]);
                product[c] += static_cast<double>(dy[c]) * static_cast<double>(y[c]);
            }
        }
        for (std::int64_t c = 0; c < count; ++c) {
            mean[c] = static_cast<float>(sum[c] / static_cast<double>(words));
            inner[c] = static_cast<float>(product[c] / static_cast<double>(words));
        }
    }

    float epsilon_;
};

}  // namespace

OpPtr batch_norm_mean() { return std::make_shared<Mean>(); }
OpPtr batch_norm_variance() { return std::make_shared<Variance>(); }
OpPtr batch_norm_choose() { return std::make_shared<Choose>(); }
OpPtr batch_norm_normalize(float epsilon) { return std::make_shared<Normalize>(epsilon); }

}  // namespace glassformer::ops
