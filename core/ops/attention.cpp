#include "core/ops/attention.h"

#include "core/base/mark_text.h"
#include "core/ops/ops.h"

namespace glassformer::ops {

namespace {

using namespace kernel;

class AttentionScores final : public Op {
    struct Sizes {
        std::int64_t batch, queries, keys, heads, width;
        Sizes(const Shape& q_shape, const Shape& k_shape)
            : batch(q_shape[0]), queries(q_shape[1]), keys(k_shape[1]), heads(q_shape[2]), width(q_shape[3]) {}
        /// Rows of head i % heads of batch entry i / heads.
        Operand q(const float* data, std::int64_t i) const {
            return head_rows(data + i / heads * queries * heads * width, queries, heads, width, i % heads);
        }
        Target q(const GradientSlot& slot, std::int64_t i) const {
            return head_target(slot.data + i / heads * queries * heads * width, heads, width, i % heads,
                               slot.accumulate);
        }
        Operand k(const float* data, std::int64_t i) const {
            return head_rows(data + i / heads * keys * heads * width, keys, heads, width, i % heads);
        }
        Target k(const GradientSlot& slot, std::int64_t i) const {
            return head_target(slot.data + i / heads * keys * heads * width, heads, width, i % heads, slot.accumulate);
        }
    };

public:
    std::string_view name() const override { return "attention_scores"; }
    OpTraits traits() const override { return {.role = OpRole::attention_scores, .title = N_("query · key")}; }

    Shape infer_shape(std::span<const Shape> in) const override {
        if (in.size() != 2 || in[0].rank() != 4 || in[1].rank() != 4 || in[0][0] != in[1][0] || in[0][2] != in[1][2] ||
            in[0][3] != in[1][3])
            shape_error(*this, "expected q [B, P_q, H, D] and k [B, P_k, H, D]", in);
        return Shape{in[0][0], in[0][2], in[0][1], in[1][1]};
    }

    // scores[b, h] = q_h·k_hᵀ
    void forward(const ForwardArgs& a) const override {
        const Sizes s(a.inputs[0].shape, a.inputs[1].shape);
        for_each_in(a.pool, s.batch * s.heads, row_grain(s.queries * s.keys * s.width), [&](std::int64_t i) {
            multiply({a.output.data + i * s.queries * s.keys, s.keys}, s.q(a.inputs[0].data, i),
                     s.k(a.inputs[1].data, i).transposed());
        });
    }

    // dq = ds·k,  dk = dsᵀ·q
    void backward(const BackwardArgs& a) const override {
        const Sizes s(a.inputs[0].shape, a.inputs[1].shape);
        const GradientSlot dq = a.input_gradients[0], dk = a.input_gradients[1];
        for_each_in(a.pool, s.batch * s.heads, row_grain(2 * s.queries * s.keys * s.width), [&](std::int64_t i) {
            const Operand ds = matrix(a.output_gradient.data + i * s.queries * s.keys, s.queries, s.keys);
            if (dq.data) multiply(s.q(dq, i), ds, s.k(a.inputs[1].data, i));
            if (dk.data) multiply(s.k(dk, i), ds.transposed(), s.q(a.inputs[0].data, i));
        });
    }

    bool by_slices(const Shape& output) const override { return output.rank() >= 3; }
    Reads reads(int /*input*/) const override { return Reads::heads_of_slice; }

    bool propagates_nonfinite(int /*input*/) const override { return true; }

    OpExplanation explain(const ExplainArgs& a) const override {
        const Sizes s(a.inputs[0].shape, a.inputs[1].shape);
        const Index at = index_of(a.output_shape, a.offset);  // b, h, query, key
        return explain_products(a, "q · k", N_("q · k, dimension by dimension"), s.width,
                                {0, ((at[0] * s.queries + at[2]) * s.heads + at[1]) * s.width},
                                {1, ((at[0] * s.keys + at[3]) * s.heads + at[1]) * s.width});
    }
};

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
        for_each_in(a.pool, s.batch * s.heads, row_grain(s.queries * s.keys * s.width), [&](std::int64_t i) {
            multiply(s.z(a.output.data, i), s.pattern(a.inputs[0].data, i), s.v(a.inputs[1].data, i));
        });
    }

    // dpattern = dz·vᵀ,  dv = patternᵀ·dz
    void backward(const BackwardArgs& a) const override {
        const Sizes s(a.inputs[0].shape, a.inputs[1].shape);
        const GradientSlot dp = a.input_gradients[0], dv = a.input_gradients[1];
        for_each_in(a.pool, s.batch * s.heads, row_grain(2 * s.queries * s.keys * s.width), [&](std::int64_t i) {
            const Operand dz = s.z(a.output_gradient.data, i);
            if (dp.data) multiply(s.pattern(dp, i), dz, s.v(a.inputs[1].data, i).transposed());
            if (dv.data) multiply(s.v(dv, i), s.pattern(a.inputs[0].data, i).transposed(), dz);
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

class HeadResult final : public Op {
public:
    std::string_view name() const override { return "head_result"; }
    OpTraits traits() const override { return {.role = OpRole::observer, .title = N_("what the head writes")}; }

    Shape infer_shape(std::span<const Shape> in) const override {
        if (in.size() != 2 || in[0].rank() != 4 || in[1].rank() != 2 || in[1][0] != in[0][2] * in[0][3])
            shape_error(*this, "expected z [B, P, H, D_h] and W_O [H·D_h, D]", in);
        return Shape{in[0][0], in[0][1], in[0][2], in[1][1]};
    }

    // result[.., h, :] = z[.., h, :]·W_O[h]
    void forward(const ForwardArgs& a) const override {
        const std::int64_t heads = a.output.shape[2], width = a.inputs[0].shape[3], d = a.output.shape[3],
                           rows = a.output.shape[0] * a.output.shape[1];
        for_each_in(a.pool, heads, 1, [&](std::int64_t h) {
            multiply(head_target(a.output.data, heads, d, h, false), head_rows(a.inputs[0].data, rows, heads, width, h),
                     matrix(a.inputs[1].data + h * width * d, width, d));
        });
    }

    void backward(const BackwardArgs& a) const override {
        const std::int64_t heads = a.output_gradient.shape[2], width = a.inputs[0].shape[3],
                           d = a.output_gradient.shape[3];
        const std::int64_t rows = a.output_gradient.shape[0] * a.output_gradient.shape[1];
        const GradientSlot dz = a.input_gradients[0], dw = a.input_gradients[1];
        for_each_in(a.pool, heads, 1, [&](std::int64_t h) {
            const Operand dy = head_rows(a.output_gradient.data, rows, heads, d, h);
            if (dz.data)
                multiply(head_target(dz.data, heads, width, h, dz.accumulate), dy,
                         matrix(a.inputs[1].data + h * width * d, width, d).transposed());
            if (dw.data)
                multiply({dw.data + h * width * d, d, dw.accumulate},
                         head_rows(a.inputs[0].data, rows, heads, width, h).transposed(), dy);
        });
    }

    bool by_slices(const Shape& output) const override { return output.rank() >= 3; }
    Reads reads(int input) const override { return input == 0 ? Reads::slice : Reads::all; }

    OpExplanation explain(const ExplainArgs& a) const override {
        const Index at = index_of(a.output_shape, a.offset);  // b, p, h, feature
        const std::int64_t heads = a.output_shape[2], width = a.inputs[0].shape[3], d = a.output_shape[3];
        return explain_products(a, "Σ z·W_O", N_("z · W_O, dimension by dimension"), width,
                                {0, ((at[0] * a.output_shape[1] + at[1]) * heads + at[2]) * width},
                                {1, at[2] * width * d + at[3], d});
    }
};

}  // namespace

OpPtr attention_scores() { return std::make_shared<AttentionScores>(); }
OpPtr attention_values() { return std::make_shared<AttentionValues>(); }
OpPtr head_result() { return std::make_shared<HeadResult>(); }

}  // namespace glassformer::ops
