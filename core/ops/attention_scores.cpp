#include "core/base/mark_text.h"
#include "core/ops/attention.h"
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
        for_ranges(a.pool, s.batch * s.heads, head_grain(s.queries * s.keys * s.width),
                   [&](std::int64_t begin, std::int64_t end) {
                       for (std::int64_t i = begin; i < end; ++i)
                           multiply({a.output.data + i * s.queries * s.keys, s.keys}, s.q(a.inputs[0].data, i),
                                    s.k(a.inputs[1].data, i).transposed());
                   });
    }

    // dq = ds·k,  dk = dsᵀ·q
    void backward(const BackwardArgs& a) const override {
        const Sizes s(a.inputs[0].shape, a.inputs[1].shape);
        const GradientSlot dq = a.input_gradients[0], dk = a.input_gradients[1];
        for_ranges(a.pool, s.batch * s.heads, head_grain(2 * s.queries * s.keys * s.width),
                   [&](std::int64_t begin, std::int64_t end) {
                       for (std::int64_t i = begin; i < end; ++i) {
                           const Operand ds =
                               matrix(a.output_gradient.data + i * s.queries * s.keys, s.queries, s.keys);
                           if (dq.data) multiply(s.q(dq, i), ds, s.k(a.inputs[1].data, i));
                           if (dk.data) multiply(s.k(dk, i), ds.transposed(), s.q(a.inputs[0].data, i));
                       }
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

}  // namespace

OpPtr attention_scores() { return std::make_shared<AttentionScores>(); }

}  // namespace glassformer::ops
