#include <cmath>

#include "core/base/mark_text.h"
#include "core/ops/norm_rows.h"
#include "core/ops/ops.h"

namespace glassformer::ops {

namespace {

using namespace kernel;

// μ = Σ x / D. Its gradient reaches x through layer_norm_normalize, which knows both statistics, so none flows here.
class Mean final : public Op {
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

    void backward(const BackwardArgs&) const override {}

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

    bool has_gradient(int) const override { return false; }
    bool backward_reads_input(int) const override { return false; }
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
        OpExplanation e{
            "(x − μ) / √(σ² + ε)",
            "(" + format_number(x) + " − " + format_number(mean) + ") / " + format_number(scale),
            N_("x, μ and √(σ² + ε)"),
            {},
            (x - mean) / scale,
            {.kind = TermKind::quantity, .main_term = 0, .rounded = (std::abs(x) + std::abs(mean)) / scale}};
        e.terms.push_back({{{0, a.offset, x}}, x});
        e.terms.push_back({{{1, row, mean}}, mean});
        e.terms.push_back({{{2, row, scale}}, scale});
        return e;
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
        OpExplanation e{"x / √(mean of x² + ε)",
                        format_number(x) + " / " + format_number(scale),
                        N_("x, divided by the scale"),
                        {},
                        x / scale};
        e.terms.push_back({{{0, a.offset, x}, {1, row, scale}}, e.value});
        return e;
    }
};

}  // namespace

OpPtr layer_norm_mean() { return std::make_shared<Mean>(); }
OpPtr layer_norm_scale(float epsilon) { return std::make_shared<Scale>(epsilon); }
OpPtr layer_norm_normalize() { return std::make_shared<Normalize>(); }
OpPtr rms_norm_scale(float epsilon) { return std::make_shared<RmsScale>(epsilon); }
OpPtr rms_norm_normalize() { return std::make_shared<RmsNormalize>(); }

}  // namespace glassformer::ops
