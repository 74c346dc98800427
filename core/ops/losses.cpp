#include <array>
#include <cmath>

#include "core/base/filled.h"
#include "core/base/mark_text.h"
#include "core/ops/elementary.h"
#include "core/ops/kernel.h"
#include "core/ops/ops.h"

namespace glassformer::ops {

namespace {

using namespace kernel;

double total_weight(const ConstView& weights) {
    double total = 0.0;
    for (std::int64_t i = 0; i < weights.shape.elements(); ++i) total += static_cast<double>(weights.data[i]);
    return total;
}

/// Σ w·loss / Σ w, with row_loss(row) = w·loss. Pieces are summed, then added up in order, in double.
template <class RowLoss>
void weighted_mean(const ForwardArgs& a, std::int64_t width, const RowLoss& row_loss) {
    constexpr std::int64_t most_pieces = 64;
    std::array<double, most_pieces> partial{};
    const std::int64_t rows = a.inputs[2].shape.elements(),
                       step = std::max(row_grain(4 * width), ceil_div(rows, most_pieces));
    a.pool.run(ceil_div(rows, step), [&](std::int64_t piece) {
        double sum = 0.0;
        for (std::int64_t r = piece * step; r < std::min(rows, (piece + 1) * step); ++r) sum += row_loss(r);
        partial[piece] = sum;
    });
    const double total = total_weight(a.inputs[2]);
    double sum = 0.0;
    for (const double part : partial) sum += part;
    *a.output.data = total > 0.0 ? static_cast<float>(sum / total) : 0.0f;
}

float log_sum_exp(const float* x, std::int64_t width) {
    const float top = ConstArrayMap(x, width).maxCoeff();
    return std::log(sum_of_exp(x, width, top)) + top;
}

double row_loss(std::span<const ConstView> in, std::int64_t row, std::int64_t width) {
    const float weight = in[2].data[row];
    if (weight == 0.0f) return 0.0;
    const float* x = in[0].data + row * width;
    return static_cast<double>(weight) *
           static_cast<double>(log_sum_exp(x, width) - x[static_cast<std::int64_t>(in[1].data[row])]);
}

class CrossEntropy final : public Op {
public:
    std::string_view name() const override { return "cross_entropy"; }
    OpTraits traits() const override { return {.role = OpRole::loss, .title = N_("cross-entropy")}; }

    Shape infer_shape(std::span<const Shape> in) const override {
        if (in.size() != 3 || in[0].rank() < 1 || in[0].elements() != in[1].elements() * in[0].back() || in[1] != in[2])
            shape_error(*this, "expected logits [.., V], targets [..] and weights [..]", in);
        return Shape{};
    }

    // Σ w·(log Σ e^x − x_target) / Σ w. Rows of weight 0 cost nothing.
    void forward(const ForwardArgs& a) const override {
        const std::int64_t width = a.inputs[0].shape.back();
        weighted_mean(a, width, [&](std::int64_t r) { return row_loss(a.inputs, r, width); });
    }

    // dx = w·(softmax(x) − onehot(target)) / Σ w
    void backward(const BackwardArgs& a) const override {
        const GradientSlot dx = a.input_gradients[0];
        if (!dx.data) return;
        const std::int64_t width = a.inputs[0].shape.back(), rows = a.inputs[1].shape.elements();
        const double total = total_weight(a.inputs[2]);
        const float dy = total > 0.0 ? static_cast<float>(static_cast<double>(*a.output_gradient.data) / total) : 0.0f;
        for_each_in(a.pool, rows, row_grain(4 * width), [&](std::int64_t r) {
            float* out = dx.data + r * width;
            const float factor = a.inputs[2].data[r] * dy;
            if (factor == 0.0f) {
                if (!dx.accumulate) std::fill_n(out, width, 0.0f);
                return;
            }
            const float* x = a.inputs[0].data + r * width;
            const float log_sum = log_sum_exp(x, width);
            for_lanes(0, width, [&](std::int64_t i, std::int64_t count) {
                Floats share = exp_of(load_floats(x + i, count) - log_sum) * factor;
                if (dx.accumulate) share += load_floats(out + i, count);
                store_floats(out + i, share, count);
            });
            out[static_cast<std::int64_t>(a.inputs[1].data[r])] -= factor;
        });
    }

    OpExplanation explain(const ExplainArgs& a) const override {
        const std::int64_t width = a.inputs[0].shape.back(), rows = a.inputs[1].shape.elements();
        const double total = total_weight(a.inputs[2]);
        OpExplanation e{"Σ w · (log Σ e^x − x_target) / Σ w", "", N_("the loss of each scored word"), {}, 0.0};
        for (std::int64_t r = 0; r < rows && total > 0.0; ++r) {
            const double weight = a.inputs[2].data[r];
            if (weight == 0.0) continue;
            const float* x = a.inputs[0].data + r * width;
            const double top = *std::max_element(x, x + width);
            double sum = 0.0;
            for (std::int64_t i = 0; i < width; ++i) sum += std::exp(static_cast<double>(x[i]) - top);
            const std::int64_t target = r * width + static_cast<std::int64_t>(a.inputs[1].data[r]);
            const double logit = a.inputs[0].data[target], part = weight * (std::log(sum) + top - logit) / total;
            e.terms.push_back({{{0, target, logit}, {2, r, weight}}, part});
            e.value += part;
            // The rounding error of a logit of 80 ends up in a loss that may be close to zero.
            e.reading.rounded = std::max({e.reading.rounded, std::abs(top), std::abs(logit)});
        }
        e.numbers = filled_with(e.terms.size() == 1 ? N_("the mean over {1} word") : N_("the mean over {1} words"),
                                e.terms.size());
        return e;
    }

    bool has_gradient(int input) const override { return input == 0; }
};

class SquaredError final : public Op {
public:
    std::string_view name() const override { return "squared_error"; }
    OpTraits traits() const override { return {.role = OpRole::loss, .title = N_("squared error")}; }

    Shape infer_shape(std::span<const Shape> in) const override {
        if (in.size() != 3 || in[0].rank() < 1 || in[0].back() < 1 || in[1] != in[0] ||
            in[2] != Shape(in[0].sizes().first(in[0].sizes().size() - 1)))
            shape_error(*this, "expected prediction [.., D], target [.., D] and weights [..]", in);
        return Shape{};
    }

    // Σ w·mean (p − t)² / Σ w. Skips rows of weight 0.
    void forward(const ForwardArgs& a) const override {
        const std::int64_t width = a.inputs[0].shape.back();
        weighted_mean(a, width, [&](std::int64_t r) {
            const float weight = a.inputs[2].data[r];
            if (weight == 0.0f) return 0.0;
            const ConstArrayMap prediction(a.inputs[0].data + r * width, width),
                target(a.inputs[1].data + r * width, width);
            return static_cast<double>(weight) * static_cast<double>((prediction - target).square().mean());
        });
    }

    // dp = 2w·(p − t) / (D·Σ w)
    void backward(const BackwardArgs& a) const override {
        const GradientSlot dp = a.input_gradients[0];
        if (!dp.data) return;
        const std::int64_t width = a.inputs[0].shape.back(), rows = a.inputs[2].shape.elements();
        const double total = total_weight(a.inputs[2]);
        const float dy = total > 0.0 ? static_cast<float>(2.0 * static_cast<double>(*a.output_gradient.data) /
                                                          (total * static_cast<double>(width)))
                                     : 0.0f;
        for_each_in(a.pool, rows, row_grain(4 * width), [&](std::int64_t r) {
            ArrayMap out(dp.data + r * width, width);
            const float factor = a.inputs[2].data[r] * dy;
            if (factor != 0.0f)
                store(out,
                      (ConstArrayMap(a.inputs[0].data + r * width, width) -
                       ConstArrayMap(a.inputs[1].data + r * width, width)) *
                          factor,
                      dp.accumulate);
            else if (!dp.accumulate)
                out.setZero();
        });
    }

    OpExplanation explain(const ExplainArgs& a) const override {
        const std::int64_t width = a.inputs[0].shape.back(), rows = a.inputs[2].shape.elements();
        const double total = total_weight(a.inputs[2]);
        OpExplanation e{"Σ w · (mean of (p − t)²) / Σ w", "", N_("w · (p − t)² / (d · Σ w), cell by cell"), {}, 0.0};
        std::int64_t scored = 0;
        for (std::int64_t r = 0; r < rows && total > 0.0; ++r) {
            const double weight = a.inputs[2].data[r];
            if (weight == 0.0) continue;
            ++scored;
            for (std::int64_t i = r * width; i < (r + 1) * width; ++i) {
                const double prediction = a.inputs[0].data[i], target = a.inputs[1].data[i],
                             error = prediction - target,
                             part = weight * error * error / (static_cast<double>(width) * total);
                e.terms.push_back({{{0, i, prediction}, {1, i, target}, {2, r, weight}}, part});
                e.value += part;
            }
        }
        e.numbers = filled_with(scored == 1 ? N_("the mean over {1} row") : N_("the mean over {1} rows"), scored);
        return e;
    }

    bool has_gradient(int input) const override { return input == 0; }
};

}  // namespace

OpPtr cross_entropy() { return std::make_shared<CrossEntropy>(); }
OpPtr squared_error() { return std::make_shared<SquaredError>(); }

}  // namespace glassformer::ops
