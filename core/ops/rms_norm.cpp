#include <cmath>

#include "core/base/mark_text.h"
#include "core/ops/norm_rows.h"
#include "core/ops/ops.h"

namespace glassformer::ops {

namespace {

using namespace kernel;

class Scale final : public NormScale<false> {
public:
    explicit Scale(float epsilon) : NormScale(epsilon) {}

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

class Normalize final : public NormNormalize<false> {
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

OpPtr rms_norm_scale(float epsilon) { return std::make_shared<Scale>(epsilon); }
OpPtr rms_norm_normalize() { return std::make_shared<Normalize>(); }

}  // namespace glassformer::ops
