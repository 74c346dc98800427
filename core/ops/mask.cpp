#include <limits>

#include "core/ops/kernel.h"
#include "core/ops/ops.h"

namespace glassformer::ops {

namespace {

using namespace kernel;

constexpr float hidden = -std::numeric_limits<float>::infinity();

class Mask final : public Op {
public:
    std::string_view name() const override { return "mask"; }

    Shape infer_shape(std::span<const Shape> in) const override {
        if (in.size() != 2 || in[0].rank() != 4 || in[1].rank() != 2 || in[1][0] != in[0][0] || in[1][1] != in[0][3])
            shape_error(*this, "expected scores [B, H, P_q, P_k] and key_mask [B, P_k]", in);
        return in[0];
    }

    void forward(const ForwardArgs& a) const override {
        const std::int64_t keys = a.output.shape[3], rows_per_entry = a.output.shape[1] * a.output.shape[2];
        for_ranges(
            a.pool, a.output.shape.elements() / keys, row_grain(keys), [&](std::int64_t begin, std::int64_t end) {
                for (std::int64_t r = begin; r < end; ++r) {
                    const float *keep = a.inputs[1].data + r / rows_per_entry * keys, *x = a.inputs[0].data + r * keys;
                    float* y = a.output.data + r * keys;
                    for (std::int64_t k = 0; k < keys; ++k) y[k] = keep[k] != 0.0f ? x[k] : hidden;
                }
            });
    }

    void backward(const BackwardArgs& a) const override {
        const GradientSlot dx = a.input_gradients[0];
        if (!dx.data) return;
        const Shape& shape = a.output_gradient.shape;
        const std::int64_t keys = shape[3], rows_per_entry = shape[1] * shape[2];
        for_ranges(a.pool, shape.elements() / keys, row_grain(keys), [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t r = begin; r < end; ++r) {
                const float *keep = a.inputs[1].data + r / rows_per_entry * keys,
                            *dy = a.output_gradient.data + r * keys;
                float* out = dx.data + r * keys;
                for (std::int64_t k = 0; k < keys; ++k)
                    out[k] = (dx.accumulate ? out[k] : 0.0f) + (keep[k] != 0.0f ? dy[k] : 0.0f);
            }
        });
    }

    OpExplanation explain(const ExplainArgs& a) const override {
        const Index at = index_of(a.output_shape, a.offset);
        const std::int64_t keep_offset = at[0] * a.output_shape[3] + at[3];
        const double x = a.inputs[0].data[a.offset], keep = a.inputs[1].data[keep_offset];
        OpExplanation e{"the score, or −∞ where the mask hides the word",
                        keep != 0.0 ? "the word may be seen" : "the word is hidden",
                        "score and mask",
                        {},
                        keep != 0.0 ? x : static_cast<double>(hidden)};
        e.terms.push_back({{{0, a.offset, x}, {1, keep_offset, keep}}, e.value});
        return e;
    }

    bool has_gradient(int input) const override { return input == 0; }
    bool backward_reads_input(int input) const override { return input == 1; }
};

}  // namespace

OpPtr mask() { return std::make_shared<Mask>(); }

}  // namespace glassformer::ops
