#include <cmath>
#include <cstring>

#include "core/base/mark_text.h"
#include "core/ops/kernel.h"
#include "core/ops/ops.h"

namespace glassformer::ops {

namespace {

using namespace kernel;

/// 10000^(2i/D): features 2i and 2i + 1 go once around in 2π times as many positions.
double slowness(std::int64_t feature, std::int64_t width) {
    const std::int64_t even = feature / 2 * 2;
    return std::pow(10000.0, static_cast<double>(even) / static_cast<double>(width));
}

/// The cells never change, so they are computed once; every forward copies them, because the plan gives the buffer's
/// memory to others in between.
class SinusoidalPositions final : public Op {
public:
    SinusoidalPositions(std::int64_t positions, std::int64_t width)
        : shape_{positions, width}, table_(static_cast<std::size_t>(shape_.elements())) {
        for (std::int64_t j = 0; j < width; ++j) {
            const double slow = slowness(j, width);
            for (std::int64_t p = 0; p < positions; ++p) {
                const double angle = static_cast<double>(p) / slow;
                table_[p * width + j] = static_cast<float>(j % 2 == 0 ? std::sin(angle) : std::cos(angle));
            }
        }
    }

    std::string_view name() const override { return "sinusoidal_positions"; }
    OpTraits traits() const override {
        return {.role = OpRole::position_embedding, .title = N_("sine or cosine of the position")};
    }

    Shape infer_shape(std::span<const Shape> in) const override {
        if (!in.empty()) shape_error(*this, "expected no input", in);
        return shape_;
    }

    void forward(const ForwardArgs& a) const override {
        std::memcpy(a.output.data, table_.data(), sizeof(float) * table_.size());
    }

    void backward(const BackwardArgs&) const override {}

    OpExplanation explain(const ExplainArgs& a) const override {
        const std::int64_t width = shape_[1], p = a.offset / width, j = a.offset % width;
        const bool sine = j % 2 == 0;
        const double angle = static_cast<double>(p) / slowness(j, width);
        const std::string wave = sine ? "sin" : "cos";
        OpExplanation e{wave + "(p / 10000^(2i/D))",
                        wave + "(" + std::to_string(p) + " / 10000^(" + std::to_string(j / 2 * 2) + "/" +
                            std::to_string(width) + ")) = " + wave + "(" + format_number(angle) + ")",
                        N_("depends on the position alone"),
                        {},
                        sine ? std::sin(angle) : std::cos(angle)};
        e.terms.push_back({{}, e.value});
        return e;
    }

private:
    Shape shape_;
    std::vector<float> table_;
};

}  // namespace

OpPtr sinusoidal_positions(std::int64_t positions, std::int64_t width) {
    return std::make_shared<SinusoidalPositions>(positions, width);
}

}  // namespace glassformer::ops
