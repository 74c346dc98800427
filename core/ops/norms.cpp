#include <array>
#include <cmath>

#include "core/base/mark_text.h"
#include "core/ops/elementary.h"
#include "core/ops/norm_rows.h"
#include "core/ops/ops.h"

namespace glassformer::ops {

namespace {

using namespace kernel;

// μ = Σ x / D. Its gradient reaches x through layer_norm_normalize, which knows both statistics, so none flows here.
class Mean final : public OpWithoutGradient {
public:
    std::string_view name() const override { return "layer_norm_mean"; }
    OpTraits traits() const override {
        return {.role = OpRole::norm_statistic, .title = N_("mean"), .family = N_("LayerNorm")};
    }

    Shape infer_shape(std::span<const Shape> in) const override {
        if (in.size() != 1 || in[0].rank() < 1 || in[0].back() < 1) shape_error(*this, "expected x [.., D]", in);
        return leading(in[0]);
    }

    void forward(const ForwardArgs& a) const override {
        const std::int64_t width = a.inputs[0].shape.back();
        for_rows(a.pool, a.output.shape.elements(), width,
                 [&](std::int64_t r) { a.output.data[r] = ConstArrayMap(a.inputs[0].data + r * width, width).mean(); });
    }

    bool by_slices(const Shape& output) const override { return output.rank() >= 2; }
    Reads reads(int /*input*/) const override { return Reads::slice; }

    bool propagates_nonfinite(int /*input*/) const override { return true; }

    OpExplanation explain(const ExplainArgs& a) const override {
        const std::int64_t width = a.inputs[0].shape.back();
        OpExplanation e{"μ = Σ x / d", "", N_("x / d, feature by feature"), {}, 0.0};
        double sum = 0.0;
        for (std::int64_t i = 0; i < width; ++i) {
            const double x = a.inputs[0].data[a.offset * width + i];
            e.terms.push_back({{{0, a.offset * width + i, x}}, x / static_cast<double>(width)});
            sum += x;
        }
        e.value = sum / static_cast<double>(width);
        e.numbers = format_number(sum) + " / " + std::to_string(width);
        return e;
    }
};

class Scale final : public NormScale<true> {
public:
    explicit Scale(float epsilon) : NormScale(epsilon) {}

    std::string_view name() const override { return "layer_norm_scale"; }
    OpTraits traits() const override {
        return {.role = OpRole::norm_statistic, .title = N_("standard deviation"), .family = N_("LayerNorm")};
    }

    OpExplanation explain(const ExplainArgs& a) const override {
        const std::int64_t width = a.inputs[0].shape.back();
        OpExplanation e{"√(Σ (x − μ)² / d + ε)",
                        "",
                        N_("(x − μ)² / d, feature by feature"),
                        {},
                        0.0,
                        {.join = TermJoin::difference, .inside = N_("under the root")}};
        const double mean = a.inputs[1].data[a.offset];
        double variance = 0.0;
        for (std::int64_t i = 0; i < width; ++i) {
            const double x = a.inputs[0].data[a.offset * width + i],
                         part = (x - mean) * (x - mean) / static_cast<double>(width);
            e.terms.push_back({{{0, a.offset * width + i, x}, {1, a.offset, mean}}, part});
            variance += part;
        }
        e.value = std::sqrt(variance + static_cast<double>(epsilon_));
        e.numbers = "√(" + format_number(variance) + " + " + format_number(epsilon_) + ")";
        return e;
    }
};

class Normalize final : public NormNormalize<true> {
public:
    std::string_view name() const override { return "layer_norm_normalize"; }
    OpTraits traits() const override {
        return {.role = OpRole::norm_normalize, .title = N_("normalize"), .family = N_("LayerNorm")};
    }

    OpExplanation explain(const ExplainArgs& a) const override {
        const std::int64_t row = a.offset / a.output_shape.back();
        const double x = a.inputs[0].data[a.offset], mean = a.inputs[1].data[row], scale = a.inputs[2].data[row];
        return {"(x − μ) / √(σ² + ε)",
                "(" + format_number(x) + " − " + format_number(mean) + ") / " + format_number(scale),
                N_("x, μ and √(σ² + ε)"),
                {Term{{{0, a.offset, x}}, x}, Term{{{1, row, mean}}, mean}, Term{{{2, row, scale}}, scale}},
                (x - mean) / scale,
                {.kind = TermKind::quantity, .main_term = 0, .rounded = (std::abs(x) + std::abs(mean)) / scale}};
    }
};

class RmsScale final : public NormScale<false> {
public:
    explicit RmsScale(float epsilon) : NormScale(epsilon) {}

    std::string_view name() const override { return "rms_norm_scale"; }
    OpTraits traits() const override {
        return {.role = OpRole::norm_statistic, .title = N_("RMS"), .family = N_("RMSNorm")};
    }

    OpExplanation explain(const ExplainArgs& a) const override {
        const std::int64_t width = a.inputs[0].shape.back();
        OpExplanation e{
            "√(Σ x² / d + ε)", "", N_("x² / d, feature by feature"), {}, 0.0, {.inside = N_("under the root")}};
        double mean = 0.0;
        for (std::int64_t i = 0; i < width; ++i) {
            const double x = a.inputs[0].data[a.offset * width + i], part = x * x / static_cast<double>(width);
            e.terms.push_back({{{0, a.offset * width + i, x}}, part});
            mean += part;
        }
        e.value = std::sqrt(mean + static_cast<double>(epsilon_));
        e.numbers = "√(" + format_number(mean) + " + " + format_number(epsilon_) + ")";
        return e;
    }
};

class RmsNormalize final : public NormNormalize<false> {
public:
    std::string_view name() const override { return "rms_norm_normalize"; }
    OpTraits traits() const override {
        return {.role = OpRole::norm_normalize, .title = N_("normalize"), .family = N_("RMSNorm")};
    }

    OpExplanation explain(const ExplainArgs& a) const override {
        const std::int64_t row = a.offset / a.output_shape.back();
        const double x = a.inputs[0].data[a.offset], scale = a.inputs[1].data[row];
        return {"x / √(mean of x² + ε)",
                format_number(x) + " / " + format_number(scale),
                N_("x, divided by the scale"),
                {Term{{{0, a.offset, x}, {1, row, scale}}, x / scale}},
                x / scale};
    }
};

// γ and β hold one number per feature, or a single one for all features; β is optional.
class NormAffine final : public Op {
public:
    std::string_view name() const override { return "norm_affine"; }
    OpTraits traits() const override { return {.role = OpRole::norm_affine, .title = N_("rescale")}; }

    Shape infer_shape(std::span<const Shape> in) const override {
        if ((in.size() != 2 && in.size() != 3) || in[0].rank() < 1 ||
            (in[1] != Shape{in[0].back()} && in[1] != Shape{1}) || in.back() != in[1])
            shape_error(*this, "expected normalized [.., D], γ [D] or [1] and, where there is one, β of γ's shape", in);
        return in[0];
    }

    void forward(const ForwardArgs& a) const override {
        const std::int64_t width = a.output.shape.back();
        const float *gamma = a.inputs[1].data, *beta = a.inputs.size() > 2 ? a.inputs[2].data : nullptr;
        const bool one = a.inputs[1].shape.elements() < width;
        for_rows(a.pool, a.output.shape.elements() / width, width, [&](std::int64_t r) {
            const ConstArrayMap x(a.inputs[0].data + r * width, width);
            ArrayMap y(a.output.data + r * width, width);
            if (one)
                y = x * *gamma + (beta ? *beta : 0.0f);
            else if (beta)
                y = x * ConstArrayMap(gamma, width) + ConstArrayMap(beta, width);
            else
                y = x * ConstArrayMap(gamma, width);
        });
    }

    // dx̂ = dy∘γ,  dγ = Σ dy∘x̂,  dβ = Σ dy
    void backward(const BackwardArgs& a) const override {
        const std::int64_t width = a.output_gradient.shape.back(), rows = a.output_gradient.shape.elements() / width;
        const GradientSlot dx = a.input_gradients[0], dgamma = a.input_gradients[1],
                           dbeta = a.input_gradients.size() > 2 ? a.input_gradients[2] : GradientSlot{};
        const float *dy = a.output_gradient.data, *gamma = a.inputs[1].data;
        const bool one = a.inputs[1].shape.elements() < width;
        if (!one) return backward_by_feature(a, rows, width);
        // The sums come first: in place, dx̂ overwrites dy.
        if (dgamma.data || dbeta.data) sum_to_one(a, rows, width, dgamma, dbeta);
        if (dx.data)
            for_rows(a.pool, rows, width, [&](std::int64_t r) {
                store(ArrayMap(dx.data + r * width, width), ConstArrayMap(dy + r * width, width) * *gamma,
                      dx.accumulate);
            });
    }

    bool in_place(int input) const override { return input == 0; }

    bool by_slices(const Shape& output) const override { return output.rank() >= 3; }
    Reads reads(int input) const override { return input == 0 ? Reads::slice : Reads::all; }

    bool propagates_nonfinite(int /*input*/) const override { return true; }

    OpExplanation explain(const ExplainArgs& a) const override {
        const std::int64_t feature = a.offset % a.output_shape.back() % a.inputs[1].shape.elements();
        const double x = a.inputs[0].data[a.offset], gamma = a.inputs[1].data[feature];
        OpExplanation e{"γ · x̂",   format_number(gamma) + " · " + format_number(x),
                        "γ · x̂",   {},
                        gamma * x, {.join = TermJoin::product}};
        e.terms.push_back({{{0, a.offset, x}, {1, feature, gamma}}, gamma * x});
        if (a.inputs.size() > 2) {
            const double beta = a.inputs[2].data[feature];
            e.formula += " + β";
            e.numbers += " + " + format_number(beta);
            e.terms_title += ", then β";
            e.terms.push_back({{{2, feature, beta}}, beta});
            e.value += beta;
        }
        return e;
    }

    bool backward_reads_input(int input) const override { return input != 2; }

private:
    // Each piece owns some columns of dx̂, dγ and dβ, so the inputs are read in a single pass. The sums of whole
    // registers of columns stay in registers.
    static void backward_by_feature(const BackwardArgs& a, std::int64_t rows, std::int64_t width) {
        constexpr std::int64_t registers = 4, most = registers * float_lanes;
        const GradientSlot dx = a.input_gradients[0], dgamma = a.input_gradients[1],
                           dbeta = a.input_gradients.size() > 2 ? a.input_gradients[2] : GradientSlot{};
        const float *x = a.inputs[0].data, *dy = a.output_gradient.data, *gamma = a.inputs[1].data;
        const auto column = [&](std::int64_t begin, std::int64_t count, auto n) {
            Floats sum_gamma[n.value] = {}, sum_beta[n.value] = {}, factor[n.value];
            const auto cells = [&](std::int64_t i) { return std::min(float_lanes, count - i * float_lanes); };
            for (std::int64_t i = 0; i < n.value; ++i)
                factor[i] = load_floats(gamma + begin + i * float_lanes, cells(i));
            for (std::int64_t r = 0; r < rows; ++r) {
                const std::int64_t first = r * width + begin;
                for (std::int64_t i = 0; i < n.value; ++i) {
                    const std::int64_t at = first + i * float_lanes;
                    const Floats row = load_floats(dy + at, cells(i));
                    sum_gamma[i] += row * load_floats(x + at, cells(i));
                    sum_beta[i] += row;
                    if (!dx.data) continue;
                    const Floats part = row * factor[i];
                    store_floats(dx.data + at, dx.accumulate ? load_floats(dx.data + at, cells(i)) + part : part,
                                 cells(i));
                }
            }
            for (std::int64_t i = 0; i < n.value; ++i) {
                add_columns(dgamma, begin + i * float_lanes, sum_gamma[i], cells(i));
                add_columns(dbeta, begin + i * float_lanes, sum_beta[i], cells(i));
            }
        };
        const Pieces pieces(width, most);
        a.pool.run(pieces.count, [&](std::int64_t i) {
            const auto [begin, count] = pieces[i];
            if (count == most) return column(begin, most, std::integral_constant<std::int64_t, registers>{});
            for (std::int64_t c = 0; c < count; c += float_lanes)
                column(begin + c, std::min(float_lanes, count - c), std::integral_constant<std::int64_t, 1>{});
        });
    }

    static void add_columns(const GradientSlot& slot, std::int64_t begin, const Floats& sum, std::int64_t count) {
        if (!slot.data) return;
        store_floats(slot.data + begin, slot.accumulate ? load_floats(slot.data + begin, count) + sum : sum, count);
    }

    // Each piece sums some rows; the pieces are added up in order.
    static void sum_to_one(const BackwardArgs& a, std::int64_t rows, std::int64_t width, const GradientSlot& dgamma,
                           const GradientSlot& dbeta) {
        constexpr std::int64_t most_pieces = 64;
        std::array<double, most_pieces> gamma_parts{}, beta_parts{};
        const std::int64_t step = std::max(row_grain(4 * width), ceil_div(rows, most_pieces));
        a.pool.run(ceil_div(rows, step), [&](std::int64_t piece) {
            double gamma_sum = 0.0, beta_sum = 0.0;
            for (std::int64_t r = piece * step; r < std::min(rows, (piece + 1) * step); ++r) {
                const ConstArrayMap dy(a.output_gradient.data + r * width, width);
                gamma_sum += static_cast<double>((dy * ConstArrayMap(a.inputs[0].data + r * width, width)).sum());
                beta_sum += static_cast<double>(dy.sum());
            }
            gamma_parts[piece] = gamma_sum;
            beta_parts[piece] = beta_sum;
        });
        const auto write = [](const GradientSlot& slot, const std::array<double, most_pieces>& parts) {
            double sum = 0.0;
            for (const double part : parts) sum += part;
            if (slot.data) *slot.data = (slot.accumulate ? *slot.data : 0.0f) + static_cast<float>(sum);
        };
        write(dgamma, gamma_parts);
        write(dbeta, beta_parts);
    }
};

}  // namespace

OpPtr layer_norm_mean() { return std::make_shared<Mean>(); }
OpPtr layer_norm_scale(float epsilon) { return std::make_shared<Scale>(epsilon); }
OpPtr layer_norm_normalize() { return std::make_shared<Normalize>(); }
OpPtr rms_norm_scale(float epsilon) { return std::make_shared<RmsScale>(epsilon); }
OpPtr rms_norm_normalize() { return std::make_shared<RmsNormalize>(); }
OpPtr norm_affine() { return std::make_shared<NormAffine>(); }

}  // namespace glassformer::ops
