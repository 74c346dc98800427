#include <cstring>

#include "core/base/filled.h"
#include "core/base/mark_text.h"
#include "core/ops/kernel.h"
#include "core/ops/ops.h"

namespace glassformer::ops {

namespace {

using namespace kernel;

class Embed final : public Op {
public:
    std::string_view name() const override { return "embed"; }
    OpTraits traits() const override { return {.role = OpRole::token_embedding, .title = N_("a row of W_E")}; }

    Shape infer_shape(std::span<const Shape> in) const override {
        if (in.size() != 2 || in[0].rank() != 2 || in[1].rank() != 2)
            shape_error(*this, "expected tokens [B, P] and W_E [V, D]", in);
        return Shape{in[0][0], in[0][1], in[1][1]};
    }

    void forward(const ForwardArgs& a) const override {
        const std::int64_t width = a.output.shape.back();
        const float *tokens = a.inputs[0].data, *table = a.inputs[1].data;
        for_ranges(a.pool, a.inputs[0].shape.elements(), row_grain(width), [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t t = begin; t < end; ++t) {
                const auto token = static_cast<std::int64_t>(tokens[t]);
                if (const TypedMatrix* stored = a.inputs[1].stored)
                    widen_row(*stored, token, {a.output.data + t * width, static_cast<std::size_t>(width)});
                else
                    std::memcpy(a.output.data + t * width, table + token * width, sizeof(float) * width);
            }
        });
    }

    // dW_E[token] += dy. Tokens repeat, so each piece of work owns some columns of the table and walks all the tokens.
    void backward(const BackwardArgs& a) const override {
        const GradientSlot slot = a.input_gradients[1];
        if (!slot.data) return;
        const std::int64_t width = a.inputs[1].shape.back(), count = a.inputs[0].shape.elements(),
                           rows = a.inputs[1].shape[0];
        const float *tokens = a.inputs[0].data, *dy = a.output_gradient.data;
        for_ranges(a.pool, width, 16, [&](std::int64_t begin, std::int64_t end) {
            if (!slot.accumulate)
                for (std::int64_t r = 0; r < rows; ++r)
                    std::fill(slot.data + r * width + begin, slot.data + r * width + end, 0.0f);
            for (std::int64_t t = 0; t < count; ++t) {
                float* row = slot.data + static_cast<std::int64_t>(tokens[t]) * width;
                for (std::int64_t j = begin; j < end; ++j) row[j] += dy[t * width + j];
            }
        });
    }

    OpExplanation explain(const ExplainArgs& a) const override {
        const std::int64_t width = a.output_shape.back(), position = a.offset / width, feature = a.offset % width;
        const auto token = static_cast<std::int64_t>(a.inputs[0].data[position]);
        const double value = a.inputs[1].data[token * width + feature];
        OpExplanation e{"W_E[token, feature]",
                        filled_with(N_("row {1}, feature {2}"), token, feature),
                        N_("the word's own row"),
                        {},
                        value};
        e.terms.push_back({{{1, token * width + feature, value}}, value});
        return e;
    }

    bool has_gradient(int input) const override { return input == 1; }
    bool backward_reads_input(int input) const override { return input == 0; }
    bool reads_stored(int input) const override { return input == 1; }
};

}  // namespace

OpPtr embed() { return std::make_shared<Embed>(); }

}  // namespace glassformer::ops
