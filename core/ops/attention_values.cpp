#include "core/base/mark_text.h"
#include "core/ops/attention.h"
#include "core/ops/ops.h"

namespace glassformer::ops {

namespace {

using namespace kernel;

class AttentionValues final : public Op {
    struct Sizes {
        std::int64_t batch, heads, queries, keys, width;
        Sizes(const Shape& pattern_shape, const Shape& v_shape)
            : batch(pattern_shape[0]),
              heads(pattern_shape[1]),
              queries(pattern_shape[2]),
              keys(pattern_shape[3]),
              width(v_shape[3]) {}
        Operand pattern(const float* data, std::int64_t i) const {
            return matrix(data + i * queries * keys, queries, keys);
        }
        Target pattern(const GradientSlot& slot, std::int64_t i) const {
            return {slot.data + i * queries * keys, keys, slot.accumulate};
        }
        Operand v(const float* data, std::int64_t i) const {
            return head_rows(data + i / heads * keys * heads * width, keys, heads, width, i % heads);
        }
        Target v(const GradientSlot& slot, std::int64_t i) const {
            return head_target(slot.data + i / heads * keys * heads * width, heads, width, i % heads, slot.accumulate);
        }
        Operand z(const float* data, std::int64_t i) const {
            return head_rows(data + i / heads * queries * heads * width, queries, heads, width, i % heads);
        }
        Target z(float* data, std::int64_t i) const {
            return head_target(data + i / heads * queries * heads * width, heads, width, i % heads, false);
        }
    };

public:
    std::string_view name() const override { return "attention_values"; }
    OpTraits traits() const override {
        return {.role = OpRole::attention_values, .title = N_("weighted sum of values")};
    }

    Shape infer_shape(std::span<const Shape> in) const override {
        if (in.size() != 2 || in[0].rank() != 4 || in[1].rank() != 4 || in[0][0] != in[1][0] || in[0][1] != in[1][2] ||
            in[0][3] != in[1][1])
            shape_error(*this, "expected pattern [B, H, P_q, P_k] and v [B, P_k, H, D]", in);
        return Shape{in[0][0], in[0][2], in[0][1], in[1][3]};
    }

    // z_h = pattern_h·v_h: each row of z is an average of the values, weighted by the pattern's row.
    void forward(const ForwardArgs& a) const override {
        const Sizes s(a.inputs[0].shape, a.inputs[1].shape);
        for_ranges(a.pool, s.batch * s.heads, head_grain(s.queries * s.keys * s.width),
                   [&](std::int64_t begin, std::int64_t end) {
                       for (std::int64_t i = begin; i < end; ++i)
                           multiply(s.z(a.output.data, i), s.pattern(a.inputs[0].data, i), s.v(a.inputs[1].data, i));
                   });
    }

    // dpattern = dz·vᵀ,  dv = patternᵀ·dz
    void backward(const BackwardArgs& a) const override {
        const Sizes s(a.inputs[0].shape, a.inputs[1].shape);
        const GradientSlot dp = a.input_gradients[0], dv = a.input_gradients[1];
        for_ranges(a.pool, s.batch * s.heads, head_grain(2 * s.queries * s.keys * s.width),
                   [&](std::int64_t begin, std::int64_t end) {
                       for (std::int64_t i = begin; i < end; ++i) {
                           const Operand dz = s.z(a.output_gradient.data, i);
                           if (dp.data) multiply(s.pattern(dp, i), dz, s.v(a.inputs[1].data, i).transposed());
                           if (dv.data) multiply(s.v(dv, i), s.pattern(a.inputs[0].data, i).transposed(), dz);
                       }
                   });
    }

    Reads reads(int input) const override { return input == 0 ? Reads::slice_of_head : Reads::all; }

    bool propagates_nonfinite(int /*input*/) const override { return true; }

    OpExplanation explain(const ExplainArgs& a) const override {
        const Sizes s(a.inputs[0].shape, a.inputs[1].shape);
        const Index at = index_of(a.output_shape, a.offset);  // b, query, h, d
        return explain_products(a, "Σ a·v", N_("weight · value, word by word"), s.keys,
                                {0, ((at[0] * s.heads + at[2]) * s.queries + at[1]) * s.keys},
                                {1, (at[0] * s.keys * s.heads + at[2]) * s.width + at[3], s.heads * s.width});
    }
};

}  // namespace

OpPtr attention_values() { return std::make_shared<AttentionValues>(); }

}  // namespace glassformer::ops
