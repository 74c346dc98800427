#include "core/base/mark_text.h"
#include "core/ops/kernel.h"
#include "core/ops/ops.h"

namespace glassformer::ops {

namespace {

using namespace kernel;

class PositionIndex final : public Op {
public:
    PositionIndex(std::int64_t positions, bool over_length) : shape_{positions, 1}, over_length_(over_length) {}

    std::string_view name() const override { return "position_index"; }
    OpTraits traits() const override { return {.role = OpRole::position_embedding, .title = N_("the position")}; }
    std::vector<OpAttribute> attributes() const override { return {{"over_length", over_length_ ? 1.0 : 0.0}}; }

    Shape infer_shape(std::span<const Shape> in) const override {
        if (!in.empty()) shape_error(*this, "expected no input", in);
        return shape_;
    }

    void forward(const ForwardArgs& a) const override {
        const auto divisor = static_cast<float>(over_length_ ? shape_[0] : 1);
        for_ranges(a.pool, shape_[0], element_grain, [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t p = begin; p < end; ++p) a.output.data[p] = static_cast<float>(p) / divisor;
        });
    }

    void backward(const BackwardArgs&) const override {}

    OpExplanation explain(const ExplainArgs& a) const override {
        const std::string p = std::to_string(a.offset);
        const auto index = static_cast<double>(a.offset), length = static_cast<double>(shape_[0]);
        OpExplanation e{over_length_ ? "p / P" : "p",
                        over_length_ ? p + " / " + std::to_string(shape_[0]) : p,
                        N_("depends on the position alone"),
                        {},
                        over_length_ ? index / length : index};
        e.terms.push_back({{}, e.value});
        return e;
    }

private:
    Shape shape_;
    bool over_length_;
};

}  // namespace

OpPtr position_index(std::int64_t positions, bool over_length) {
    return std::make_shared<PositionIndex>(positions, over_length);
}

}  // namespace glassformer::ops
