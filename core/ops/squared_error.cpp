#include <array>

#include "core/base/mark_text.h"
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

    // Σ w·mean (p − t)² / Σ w. Rows of weight 0 are not looked at. Pieces are summed, and then added up in their order,
    // in double.
    void forward(const ForwardArgs& a) const override {
        const std::int64_t width = a.inputs[0].shape.back(), rows = a.inputs[2].shape.elements();
        constexpr std::int64_t most_pieces = 64;
        std::array<double, most_pieces> partial{};
        const std::int64_t step = std::max(row_grain(4 * width), ceil_div(rows, most_pieces));
        a.pool.run(ceil_div(rows, step), [&](std::int64_t piece) {
            double sum = 0.0;
            for (std::int64_t r = piece * step; r < std::min(rows, (piece + 1) * step); ++r) {
                const float weight = a.inputs[2].data[r];
                if (weight == 0.0f) continue;
                const ConstArrayMap prediction(a.inputs[0].data + r * width, width),
                    target(a.inputs[1].data + r * width, width);
                sum += static_cast<double>(weight) * static_cast<double>((prediction - target).square().mean());
            }
            partial[static_cast<std::size_t>(piece)] = sum;
        });
        const double total = total_weight(a.inputs[2]);
        double sum = 0.0;
        for (const double part : partial) sum += part;
        *a.output.data = total > 0.0 ? static_cast<float>(sum / total) : 0.0f;
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
        for_ranges(a.pool, rows, row_grain(4 * width), [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t r = begin; r < end; ++r) {
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
            }
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
        e.numbers = "the mean over " + std::to_string(scored) + (scored == 1 ? " row" : " rows");
        return e;
    }

    bool has_gradient(int input) const override { return input == 0; }
};

}  // namespace

OpPtr squared_error() { return std::make_shared<SquaredError>(); }

}  // namespace glassformer::ops
