#include <cmath>

#include "core/ops/ops.h"
#include "core/ops/rows.h"

namespace glassformer::ops {

namespace {

using namespace kernel;

// √(Σ x² / D + ε). Its gradient reaches x through rms_norm_normalize, which knows it, so none flows here.
class RootMeanSquare final : public Op {
public:
    explicit RootMeanSquare(float epsilon) : epsilon_(epsilon) {}

    std::string_view name() const override { return "rms_norm_scale"; }
    std::vector<OpAttribute> attributes() const override { return {{"epsilon", static_cast<double>(epsilon_)}}; }

    Shape infer_shape(std::span<const Shape> in) const override {
        if (in.size() != 1 || in[0].rank() < 1 || in[0].back() < 1) shape_error(*this, "expected x [.., D]", in);
        return leading(in[0]);
    }

    void forward(const ForwardArgs& a) const override {
        const std::int64_t width = a.inputs[0].shape.back();
        for_rows(a.pool, a.output.shape.elements(), width, [&](std::int64_t r) {
            a.output.data[r] = std::sqrt(ConstArrayMap(a.inputs[0].data + r * width, width).square().mean() + epsilon_);
        });
    }

    void backward(const BackwardArgs&) const override {}

    bool by_runs(const Shape& output) const override { return output.rank() >= 2; }
    Reads reads(int /*input*/) const override { return Reads::run; }

    bool carries(int /*input*/) const override { return true; }

    OpExplanation explain(const ExplainArgs& a) const override {
        const std::int64_t width = a.inputs[0].shape.back();
        OpExplanation e{"√(Σ x² / d + ε)", "", "x² / d, feature by feature", {}, 0.0};
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

    bool has_gradient(int) const override { return false; }
    bool backward_reads_input(int) const override { return false; }

private:
    float epsilon_;
};

class Normalize final : public Op {
public:
    std::string_view name() const override { return "rms_norm_normalize"; }

    Shape infer_shape(std::span<const Shape> in) const override {
        if (in.size() != 2 || in[0].rank() < 1 || leading(in[0]) != in[1])
            shape_error(*this, "expected x [.., D] and scale [..]", in);
        return in[0];
    }

    void forward(const ForwardArgs& a) const override {
        const std::int64_t width = a.output.shape.back();
        for_rows(a.pool, a.inputs[1].shape.elements(), width, [&](std::int64_t r) {
            ArrayMap(a.output.data + r * width, width) =
                ConstArrayMap(a.inputs[0].data + r * width, width) * (1.0f / a.inputs[1].data[r]);
        });
    }

    // With x̂ = x/s and s a function of x:  dx = (dx̂ − x̂·mean(dx̂∘x̂)) / s
    void backward(const BackwardArgs& a) const override {
        const GradientSlot dx = a.input_gradients[0];
        if (!dx.data) return;
        const std::int64_t width = a.output.shape.back();
        for_rows(a.pool, a.inputs[1].shape.elements(), width, [&](std::int64_t r) {
            const ConstArrayMap normalized(a.output.data + r * width, width),
                dy(a.output_gradient.data + r * width, width);
            const float inner = (dy * normalized).mean();
            store(ArrayMap(dx.data + r * width, width), (dy - normalized * inner) * (1.0f / a.inputs[1].data[r]),
                  dx.accumulate);
        });
    }

    bool by_runs(const Shape& output) const override { return output.rank() >= 3; }
    Reads reads(int /*input*/) const override { return Reads::run; }

    bool carries(int input) const override { return input != 1; }

    OpExplanation explain(const ExplainArgs& a) const override {
        const std::int64_t row = a.offset / a.output_shape.back();
        const double x = a.inputs[0].data[a.offset], scale = a.inputs[1].data[row];
        OpExplanation e{"x / √(mean of x² + ε)",
                        format_number(x) + " / " + format_number(scale),
                        "x, divided by the scale",
                        {},
                        x / scale};
        e.terms.push_back({{{0, a.offset, x}, {1, row, scale}}, e.value});
        return e;
    }

    bool has_gradient(int input) const override { return input == 0; }
    bool backward_reads_input(int input) const override { return input == 1; }
    bool backward_reads_output() const override { return true; }
};

}  // namespace

OpPtr rms_norm_scale(float epsilon) { return std::make_shared<RootMeanSquare>(epsilon); }
OpPtr rms_norm_normalize() { return std::make_shared<Normalize>(); }

}  // namespace glassformer::ops
